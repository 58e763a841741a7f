import type { Workflow as Row } from '@/generated/prisma/client';
import type { FieldError } from '@/contract/error';
import type { ProjectPlan, ProjectWorkflow } from '@/contract/projects/project';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { conflict, invalid } from '@/server/errors/problem';
import { withReferences, type KeyedReference } from '@/server/workflow/references';
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../workflows/workflows';
import { itself, type Part, type PartKind, type Rename } from './parts';
import { pushParts } from './push-parts';
import { PushFolders } from './push-folders';
import { differing, keyOf, workflowPlace, type PushState } from './push-state';
import { calledFirst, referencesOf, type Pushed } from './pushed';
import { headOf, partsPresent, storedParts } from './stored';
import { TwinSearch, type Twins } from './twins';
import { within } from './within';

type StoredParts = Map<string, Map<PartKind, Part[]>>;

/** What `createWorkflow` and `updateWorkflow` take of a workflow of the files. */
interface Head extends Pick<ProjectWorkflow, 'name' | 'description' | 'definition' | 'tags' | 'concurrency'> {
  folderId: string | null;
  settings: Omit<ProjectWorkflow['settings'], 'errorWorkflow'> & { errorWorkflowId: string | null };
}

/** Carries out the part of a push that concerns workflows, in its transaction. */
export class WorkflowPush {
  readonly #state: PushState;
  readonly #pushed: Pushed[];
  readonly #records: Twins['records'];
  readonly #folders: PushFolders;
  readonly #parts: StoredParts;
  readonly #resolvers = new Map<string, Rename>();
  /** Workflows that this push created. */
  readonly #created = new Set<string>();

  private constructor(state: PushState, { pushed, records }: Twins, folders: PushFolders, parts: StoredParts) {
    this.#state = state;
    this.#pushed = calledFirst(pushed);
    this.#records = records;
    this.#folders = folders;
    this.#parts = parts;
  }

  /** Finds the workflows of the files here, and reads what is stored of them. */
  static async prepare(state: PushState): Promise<WorkflowPush> {
    const twins = await new TwinSearch(state).find();
    const parts = await partsOf(
      state,
      twins.pushed.flatMap(({ row }) => row?.id ?? []),
    );
    return new WorkflowPush(state, twins, await PushFolders.read(state), parts);
  }

  /** Stores the workflows in an order in which each finds those that it calls. */
  async apply(): Promise<void> {
    for (const one of this.#pushed) {
      const unresolved = referencesOf(one.item).filter((reference) => this.#state.isFailed(reference));
      if (unresolved.length > 0)
        this.#state.issue(workflowPlace(one.key), { message: NEEDS, details: needed(unresolved) });
      else await this.#store(one);
    }
    await this.#prune();
    await this.#record();
  }

  async #store(one: Pushed): Promise<void> {
    await this.#createCalled(one);
    if (!(await this.#folders.create(one.item.folder))) return;
    if (!(await this.#state.attempt(workflowPlace(one.key), () => this.#storeHead(one)))) return;
    const id = this.#state.ids.workflow.get(one.key) ?? '';
    await pushParts(this.#state, one, {
      id,
      stored: this.#parts.get(id),
      toId: this.#resolvers.get(one.key) ?? itself,
    });
  }

  /** Workflows that call each other in a cycle, or themselves: one is created empty, and gets its definition in its turn. */
  async #createCalled({ item }: Pushed): Promise<void> {
    const { call, ids } = this.#state;
    for (const { resource, id } of referencesOf(item)) {
      const called = this.#pushed.find((other) => other.key === id && resource === 'workflow');
      if (!called || ids.workflow.has(called.key)) continue;
      await this.#state.attempt(workflowPlace(called.key), async () => {
        const created = await within(call, createWorkflow, { body: { name: called.item.name } });
        this.#created.add(created.id);
        ids.workflow.set(called.key, created.id);
      });
    }
  }

  /** What turns the references of a workflow into ids. Throws 400 with each that stands for nothing. */
  #resolver(item: ProjectWorkflow): Rename {
    const errors: FieldError[] = [];
    const found = new Map<string, string>();
    for (const reference of referencesOf(item)) {
      const id = this.#state.resolve(reference);
      if (typeof id === 'string') found.set(`${reference.resource} ${reference.id}`, id);
      else errors.push(id);
    }
    if (errors.length > 0) throw invalid(errors, 'It refers to objects that can’t be found.');
    return ({ resource, id }) => found.get(`${resource} ${id}`) ?? id;
  }

  /** Stores all of a workflow but its triggers and tests. */
  async #storeHead(one: Pushed): Promise<void> {
    const { item, row, key } = one;
    const toId = this.#resolver(item);
    this.#resolvers.set(key, toId);
    const { errorWorkflow, ...settings } = item.settings;
    const errorWorkflowId =
      errorWorkflow === null
        ? null
        : toId({ resource: 'workflow', id: errorWorkflow, field: 'settings.errorWorkflow' });
    const { name, description, tags, concurrency } = item;
    const head: Head = {
      name,
      description,
      definition: withReferences(item.definition, toId),
      tags,
      concurrency,
      folderId: this.#folders.at(item.folder) ?? null,
      settings: { ...settings, errorWorkflowId },
    };
    await (row ? this.#update(one, row, head) : this.#create(one, head));
  }

  async #create({ item, key }: Pushed, head: Head): Promise<void> {
    const { call, ids } = this.#state;
    const own = ids.workflow.get(key);
    const [status, further] = transitions('draft', item.status);
    const body = { ...head, message: this.#message, ...(status && { status }) };
    const { id } =
      own === undefined
        ? await within(call, createWorkflow, { body })
        : await within(call, updateWorkflow, { params: { id: own }, body });
    ids.workflow.set(key, id);
    this.#created.add(id);
    if (further) await within(call, updateWorkflow, { params: { id }, body: { status: further } });
    this.#state.change({ kind: 'workflow', name: key, action: 'create', after: shown(item) });
  }

  async #update(one: Pushed, row: Row, head: Head): Promise<void> {
    const { item, key } = one;
    const { call } = this.#state;
    const folders = this.#folders.paths;
    const { definition, settings } = head;
    const after = shown(item);
    const there = { ...after, definition, settings: { ...item.settings, errorWorkflow: settings.errorWorkflowId } };
    const fields = differing(headOf(row, { toKey: itself, folders }), there);
    if (fields.length === 0) return;
    const isContent = fields.some((field) => CONTENT.includes(field));
    if (isContent) this.#requireUnchanged(one, row);
    const changed = Object.entries(head).filter(([field]) => fields.includes(field === 'folderId' ? 'folder' : field));
    const params = { id: row.id };
    const guard = isContent ? { version: row.version, message: this.#message } : {};
    const [status, further] = transitions(row.status, item.status);
    const body = { ...Object.fromEntries(changed), ...guard, ...(status && { status }) };
    await within(call, updateWorkflow, { params, body });
    if (further) await within(call, updateWorkflow, { params, body: { status: further } });
    const before = headOf(row, { toKey: this.#state.keysHere(), folders });
    this.#state.change({ kind: 'workflow', name: key, action: 'update', fields, before, after });
  }

  get #message(): string {
    return `Pushed from the project ${this.#state.asked.project}`;
  }

  /** Throws 409 if the workflow was changed here since the files were pulled or pushed. */
  #requireUnchanged({ identity }: Pushed, row: Row): void {
    const { asked, call } = this.#state;
    if (asked.force) return;
    const expected = asked.versions[call.caller.workspaceId]?.[identity] ?? this.#records.get(identity)?.version;
    const way = 'Look at the differences; a push with force replaces it.';
    if (expected === undefined)
      throw conflict(`It exists here already, and this project has not been pushed to it. ${way}`);
    if (row.version !== expected)
      throw conflict(`It was changed here: it is at version ${row.version}, the push expects ${expected}. ${way}`);
    if (row.draftVersion !== null) throw conflict(`It has a draft here that is not published. ${way}`);
  }

  /** What later pushes find the workflows by, and the versions that they expect. */
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

  /** Workflows of the project that are not in the files any more. */
  async #prune(): Promise<void> {
    const { call, asked, catalogue } = this.#state;
    const identities = new Set(asked.workflows.map((item) => item.id ?? keyOf(item)));
    for (const [identity, { workflowId }] of this.#records) {
      if (identities.has(identity)) continue;
      const name = catalogue.workflow.find(({ id }) => id === workflowId)?.name;
      if (name === undefined) continue;
      const place = workflowPlace(name);
      if (!asked.prune) this.#state.note(place, 'It is not in the files. A push with prune deletes it.');
      else
        await this.#state.attempt(place, async () => {
          await within(call, deleteWorkflow, { params: { id: workflowId } });
          this.#state.change({ ...place, action: 'delete' });
        });
    }
  }

  /** The workflows of the files with their ids and versions here. `isDone`: those that were created exist from now on. */
  async outcome(isDone: boolean): Promise<ProjectPlan['workflows']> {
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
async function partsOf({ call }: PushState, workflowIds: string[]): Promise<StoredParts> {
  const present = await partsPresent(call.db, workflowIds);
  const parts: StoredParts = new Map();
  for (const id of workflowIds) parts.set(id, await storedParts(call, id, { present, toKey: itself }));
  return parts;
}

const CONTENT = ['name', 'description', 'definition'];
const NEEDS = 'It needs objects that can’t be pushed.';
const needed = (references: readonly KeyedReference[]): FieldError[] =>
  references.map(({ resource, id, field }) => ({ field, message: `names the ${resource} ${id}` }));

/** A workflow of the files as the plan shows it. */
function shown({ triggers: _triggers, tests: _tests, id: _id, key: _key, ...head }: ProjectWorkflow) {
  return head;
}

/** The states that lead from one to another. A draft becomes paused by way of active. */
function transitions(from: string, to: WorkflowStatus | undefined): WorkflowStatus[] {
  if (to === undefined || to === from) return [];
  return from === 'draft' && to === 'paused' ? ['active', 'paused'] : [to];
}
