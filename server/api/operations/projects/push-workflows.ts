import type { Workflow as Row } from '@/generated/prisma/client';
import type { FieldIssue } from '@/contract/error-response';
import type { ProjectWorkflow } from '@/contract/projects/project';
import type { ProjectPlan } from '@/contract/projects/project-plan';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { conflictProblem, invalidRequestProblem } from '@/server/platform/errors/problem';
import { replaceReferences, type KeyedReference } from '@/server/workflow/definition/references';
import { createWorkflowOperation, deleteWorkflowOperation, updateWorkflowOperation } from '../workflows/workflows';
import { keepReferenceId, type WorkflowPart, type WorkflowPartKind, type ReferenceMapper } from './part-kind';
import { pushWorkflowParts } from './push-parts';
import { PushFolders } from './push-folders';
import { differingFields, projectKey, projectWorkflowRef, type PushState } from './push-state';
import { sortCalledFirst, listProjectReferences, type MatchedWorkflow } from './matched-workflow';
import { toProjectHead, findPresentParts, readWorkflowParts } from './stored-workflow';
import { WorkflowMatcher, type WorkflowMatches } from './match-workflows';
import { runOperationInside } from './run-operation-inside';

type PartsByWorkflow = Map<string, Map<WorkflowPartKind, WorkflowPart[]>>;

/** The fields of a workflow of the files that the operations to create and update workflows take. */
interface WorkflowHeadBody extends Pick<
  ProjectWorkflow,
  'name' | 'description' | 'definition' | 'tags' | 'concurrency'
> {
  folderId: string | null;
  settings: Omit<ProjectWorkflow['settings'], 'errorWorkflow'> & { errorWorkflowId: string | null };
}

/** Carries out the part of a push that concerns workflows, in its transaction. */
export class WorkflowPush {
  readonly #state: PushState;
  readonly #pushed: MatchedWorkflow[];
  readonly #records: WorkflowMatches['records'];
  readonly #folders: PushFolders;
  readonly #parts: PartsByWorkflow;
  readonly #resolvers = new Map<string, ReferenceMapper>();
  /** Workflows that this push created. */
  readonly #created = new Set<string>();

  private constructor(
    state: PushState,
    { pushed, records }: WorkflowMatches,
    folders: PushFolders,
    parts: PartsByWorkflow,
  ) {
    this.#state = state;
    this.#pushed = sortCalledFirst(pushed);
    this.#records = records;
    this.#folders = folders;
    this.#parts = parts;
  }

  /** Finds the workflows of the files here, and reads what is stored of them. */
  static async prepare(state: PushState): Promise<WorkflowPush> {
    const twins = await new WorkflowMatcher(state).matchWorkflows();
    const parts = await readStoredParts(
      state,
      twins.pushed.flatMap(({ row }) => row?.id ?? []),
    );
    return new WorkflowPush(state, twins, await PushFolders.read(state), parts);
  }

  /** Stores the workflows in an order in which each finds those that it calls. */
  async apply(): Promise<void> {
    for (const one of this.#pushed) {
      const unresolved = listProjectReferences(one.item).filter((reference) => this.#state.isRefused(reference));
      if (unresolved.length > 0)
        this.#state.recordIssue(projectWorkflowRef(one.key), {
          message: MISSING_OBJECTS_MESSAGE,
          details: missingObjectDetails(unresolved),
        });
      else await this.#store(one);
    }
    await this.#prune();
    await this.#record();
  }

  async #store(one: MatchedWorkflow): Promise<void> {
    await this.#createCalled(one);
    if (!(await this.#folders.createMissingFolders(one.item.folder))) return;
    if (!(await this.#state.runPart(projectWorkflowRef(one.key), () => this.#storeHead(one)))) return;
    const id = this.#state.ids.workflow.get(one.key) ?? '';
    await pushWorkflowParts(this.#state, one, {
      id,
      stored: this.#parts.get(id),
      toId: this.#resolvers.get(one.key) ?? keepReferenceId,
    });
  }

  /**
   * Workflows that call each other in a cycle, or themselves: one is created empty, and gets its definition in its
   * turn.
   */
  async #createCalled({ item }: MatchedWorkflow): Promise<void> {
    const { call, ids } = this.#state;
    for (const { resource, id } of listProjectReferences(item)) {
      const called = this.#pushed.find((other) => other.key === id && resource === 'workflow');
      if (!called || ids.workflow.has(called.key)) continue;
      await this.#state.runPart(projectWorkflowRef(called.key), async () => {
        const created = await runOperationInside(call, createWorkflowOperation, { body: { name: called.item.name } });
        this.#created.add(created.id);
        ids.workflow.set(called.key, created.id);
      });
    }
  }

  /**
   * Makes the function that turns the references of a workflow into ids. Throws 400 that lists each one that cannot be
   * resolved.
   */
  #resolver(item: ProjectWorkflow): ReferenceMapper {
    const errors: FieldIssue[] = [];
    const found = new Map<string, string>();
    for (const reference of listProjectReferences(item)) {
      const id = this.#state.resolve(reference);
      if (typeof id === 'string') found.set(`${reference.resource} ${reference.id}`, id);
      else errors.push(id);
    }
    if (errors.length > 0) throw invalidRequestProblem(errors, 'It refers to objects that can’t be found.');
    return ({ resource, id }) => found.get(`${resource} ${id}`) ?? id;
  }

  /** Stores all of a workflow but its triggers and tests. */
  async #storeHead(one: MatchedWorkflow): Promise<void> {
    const { item, row, key } = one;
    const toId = this.#resolver(item);
    this.#resolvers.set(key, toId);
    const { errorWorkflow, ...settings } = item.settings;
    const errorWorkflowId =
      errorWorkflow === null
        ? null
        : toId({ resource: 'workflow', id: errorWorkflow, field: 'settings.errorWorkflow' });
    const { name, description, tags, concurrency } = item;
    const head: WorkflowHeadBody = {
      name,
      description,
      definition: replaceReferences(item.definition, toId),
      tags,
      concurrency,
      folderId: this.#folders.findIdAtPath(item.folder) ?? null,
      settings: { ...settings, errorWorkflowId },
    };
    await (row ? this.#update(one, row, head) : this.#create(one, head));
  }

  async #create({ item, key }: MatchedWorkflow, head: WorkflowHeadBody): Promise<void> {
    const { call, ids } = this.#state;
    const own = ids.workflow.get(key);
    const [status, further] = stepsToStatus('draft', item.status);
    const body = { ...head, message: this.#message, ...(status && { status }) };
    const { id } =
      own === undefined
        ? await runOperationInside(call, createWorkflowOperation, { body })
        : await runOperationInside(call, updateWorkflowOperation, { params: { id: own }, body });
    ids.workflow.set(key, id);
    this.#created.add(id);
    if (further) await runOperationInside(call, updateWorkflowOperation, { params: { id }, body: { status: further } });
    this.#state.recordChange({ kind: 'workflow', name: key, action: 'create', after: toPlannedWorkflow(item) });
  }

  async #update(one: MatchedWorkflow, row: Row, head: WorkflowHeadBody): Promise<void> {
    const { item, key } = one;
    const { call } = this.#state;
    const folders = this.#folders.paths;
    const { definition, settings } = head;
    const after = toPlannedWorkflow(item);
    const there = { ...after, definition, settings: { ...item.settings, errorWorkflow: settings.errorWorkflowId } };
    const fields = differingFields(toProjectHead(row, { toKey: keepReferenceId, folders }), there);
    if (fields.length === 0) return;
    const isContent = fields.some((field) => CONTENT_FIELDS.includes(field));
    if (isContent) this.#requireUnchanged(one, row);
    const changed = Object.entries(head).filter(([field]) => fields.includes(field === 'folderId' ? 'folder' : field));
    const params = { id: row.id };
    const guard = isContent ? { version: row.version, message: this.#message } : {};
    const [status, further] = stepsToStatus(row.status, item.status);
    const body = { ...Object.fromEntries(changed), ...guard, ...(status && { status }) };
    await runOperationInside(call, updateWorkflowOperation, { params, body });
    if (further) await runOperationInside(call, updateWorkflowOperation, { params, body: { status: further } });
    const before = toProjectHead(row, { toKey: this.#state.makeKeyMapper(), folders });
    this.#state.recordChange({ kind: 'workflow', name: key, action: 'update', fields, before, after });
  }

  get #message(): string {
    return `Pushed from the project ${this.#state.asked.project}`;
  }

  /** Throws 409 if the workflow was changed here since the files were pulled or pushed. */
  #requireUnchanged({ identity }: MatchedWorkflow, row: Row): void {
    const { asked, call } = this.#state;
    if (asked.force) return;
    const expected = asked.versions[call.caller.workspaceId]?.[identity] ?? this.#records.get(identity)?.version;
    const way = 'Look at the differences; a push with force replaces it.';
    if (expected === undefined)
      throw conflictProblem(`It exists here already, and this project has not been pushed to it. ${way}`);
    if (row.version !== expected)
      throw conflictProblem(
        `It was changed here: it is at version ${row.version}, the push expects ${expected}. ${way}`,
      );
    if (row.draftVersion !== null) throw conflictProblem(`It has a draft here that is not published. ${way}`);
  }

  /** Stores the identities by which later pushes find the workflows, and the versions that they expect. */
  async #record(): Promise<void> {
    const { call, asked, ids } = this.#state;
    const pairs = this.#pushed.flatMap(({ key, identity }) => {
      const id = ids.workflow.get(key);
      return id === undefined ? [] : [{ id, identity }];
    });
    await call.db.$executeRaw`
      INSERT INTO project_workflow (workflow_id, workspace_id, project, key, version)
      SELECT w.id, w.workspace_id, ${asked.project}, given.key, w.version
      FROM unnest(${pairs.map(({ id }) => id)}::text[], ${pairs.map(({ identity }) => identity)}::text[]) AS given(id, key)
      JOIN workflow w ON w.id = given.id AND w.workspace_id = ${call.caller.workspaceId}
      ON CONFLICT (workflow_id) DO UPDATE
      SET project = excluded.project, key = excluded.key, version = excluded.version, pushed_at = now()`;
  }

  /** Deletes the workflows of the project that are no longer in the files, or notes that a push with prune would. */
  async #prune(): Promise<void> {
    const { call, asked, catalogue } = this.#state;
    const identities = new Set(asked.workflows.map((item) => item.id ?? projectKey(item)));
    for (const [identity, { workflowId }] of this.#records) {
      if (identities.has(identity)) continue;
      const name = catalogue.workflow.find(({ id }) => id === workflowId)?.name;
      if (name === undefined) continue;
      const place = projectWorkflowRef(name);
      if (!asked.prune) this.#state.recordNote(place, 'It is not in the files. A push with prune deletes it.');
      else
        await this.#state.runPart(place, async () => {
          await runOperationInside(call, deleteWorkflowOperation, { params: { id: workflowId } });
          this.#state.recordChange({ ...place, action: 'delete' });
        });
    }
  }

  /**
   * Lists the workflows of the files with their ids and versions in the workspace. `isDone` says that created ones will
   * remain.
   */
  async pushedWorkflows(isDone: boolean): Promise<ProjectPlan['workflows']> {
    const { call, ids } = this.#state;
    const found = [...ids.workflow.values()];
    const rows = await call.db.workflow.findMany({ where: { id: { in: found } }, select: { id: true, version: true } });
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    return this.#pushed.map(({ key, identity }) => {
      const id = ids.workflow.get(key);
      const isThere = id !== undefined && versions.has(id) && (isDone || !this.#created.has(id));
      return { key, identity, id: isThere ? id : null, version: isThere ? (versions.get(id) ?? null) : null };
    });
  }
}

/** The triggers and tests of these workflows here, by their ids. */
async function readStoredParts({ call }: PushState, workflowIds: string[]): Promise<PartsByWorkflow> {
  const present = await findPresentParts(call.db, workflowIds);
  const parts: PartsByWorkflow = new Map();
  for (const id of workflowIds) parts.set(id, await readWorkflowParts(call, id, { present, toKey: keepReferenceId }));
  return parts;
}

const CONTENT_FIELDS = ['name', 'description', 'definition'];
const MISSING_OBJECTS_MESSAGE = 'It needs objects that can’t be pushed.';
const missingObjectDetails = (references: readonly KeyedReference[]): FieldIssue[] =>
  references.map(({ resource, id, field }) => ({ field, message: `names the ${resource} ${id}` }));

/** A workflow of the files as the plan shows it. */
function toPlannedWorkflow({ triggers: _triggers, tests: _tests, id: _id, key: _key, ...head }: ProjectWorkflow) {
  return head;
}

/**
 * Returns the statuses to set, one after the other, to get from one to another. A draft is activated before it is
 * paused.
 */
function stepsToStatus(from: string, to: WorkflowStatus | undefined): WorkflowStatus[] {
  if (to === undefined || to === from) return [];
  return from === 'draft' && to === 'paused' ? ['active', 'paused'] : [to];
}
