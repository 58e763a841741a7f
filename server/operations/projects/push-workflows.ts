import { isDeepStrictEqual } from 'node:util';
import type { Workflow as Row } from '@/generated/prisma/client';
import type { FieldError } from '@/contract/error';
import type { ProjectPlan, ProjectWorkflow } from '@/contract/projects/project';
import type { Folder } from '@/contract/workflows/folder';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { conflict, forbidden, invalid } from '@/server/errors/problem';
import { withReferences, type Reference } from '@/server/workflow/references';
import { createFolder } from '../workflows/folders';
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../workflows/workflows';
import type { Named } from './names';
import { itself, type Part, type PartKind, type Rename } from './parts';
import { pushParts } from './push-parts';
import { differing, keyOf, type Place, type PushState } from './push-state';
import { calledFirst, referencesOf, type Pushed } from './pushed';
import { folderPaths, headOf, partsPresent, storedParts } from './stored';
import { within } from './within';

const placeOf = (key: string): Place => ({ kind: 'workflow', name: key, workflow: null });

/** Carries out the part of a push that concerns workflows, in its transaction. */
export class WorkflowPush {
  #pushed: Pushed[] = [];
  #parts = new Map<string, Map<PartKind, Part[]>>();
  #resolvers = new Map<string, Rename>();
  #folders = new Map<string, string[]>();
  #records = new Map<string, { workflowId: string; version: number }>();
  /** Workflows that this push created. */
  #created = new Set<string>();

  constructor(private readonly state: PushState) {}

  /** Finds the twins of the workflows of the files: by earlier pushes and their ids, then by their names. */
  async find(): Promise<void> {
    const { call, asked, catalogue } = this.state;
    const { workspaceId } = call.caller;
    const records = await call.db.projectWorkflow.findMany({ where: { workspaceId } });
    const own = records.filter(({ project }) => project === asked.project);
    this.#records = new Map(own.map(({ key, workflowId, version }) => [key, { workflowId, version }]));
    const others = records.filter(({ project }) => project !== asked.project);
    const unknown: Pushed[] = [];
    for (const item of asked.workflows) {
      const one: Pushed = { key: keyOf(item), identity: item.id ?? keyOf(item), item, row: undefined };
      const id = this.#records.get(one.identity)?.workflowId;
      const other = others.find(({ key, workflowId }) => key === one.identity || workflowId === item.id);
      await this.state.attempt(placeOf(one.key), async () => {
        if (id !== undefined) this.#take(one, id);
        else if (other) this.#refer(one, other);
        else if (catalogue.workflow.some((here) => here.id === item.id)) this.#take(one, item.id);
        else unknown.push(one);
      });
    }
    const taken = new Set(records.map(({ workflowId }) => workflowId));
    for (const one of unknown)
      await this.state.attempt(placeOf(one.key), async () => this.#take(one, this.#namesake(one, taken)));
    await this.#read();
  }

  /** A workflow that several projects call belongs to the one that pushed it first. */
  #refer({ key }: Pushed, { workflowId, project }: { workflowId: string; project: string }): void {
    this.#requireReadable(workflowId);
    this.state.ids.workflow.set(key, workflowId);
    this.state.note(placeOf(key), `It belongs to the project ${project} here, and is left as it is.`);
  }

  #requireReadable(workflowId: string): void {
    if (!this.state.catalogue.workflow.some(({ id }) => id === workflowId))
      throw forbidden('It exists here, and you may not read it.');
  }

  /** A workflow with the same name that is not part of any project. */
  #namesake({ item }: Pushed, taken: ReadonlySet<string>): string | undefined {
    const isFree = ({ id, name }: Named) => name === item.name && !taken.has(id) && !this.#isTaken(id);
    const [first, second] = this.state.catalogue.workflow.filter(isFree);
    if (second) throw conflict(`Several workflows here are named ${item.name}. Rename them.`);
    return first?.id;
  }

  #isTaken = (id: string): boolean => [...this.state.ids.workflow.values()].includes(id);

  #take(one: Pushed, id: string | undefined): void {
    if (id !== undefined && this.#isTaken(id)) throw conflict('Another workflow of the files is the same one here.');
    if (id !== undefined) {
      this.#requireReadable(id);
      this.state.ids.workflow.set(one.key, id);
    }
    this.#pushed.push(one);
  }

  async #read(): Promise<void> {
    const { call, ids } = this.state;
    const { db, caller } = call;
    const found = this.#pushed.flatMap(({ key }) => ids.workflow.get(key) ?? []);
    const rows = await db.workflow.findMany({ where: { id: { in: found }, workspaceId: caller.workspaceId } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const one of this.#pushed) one.row = byId.get(ids.workflow.get(one.key) ?? '');
    this.#pushed = calledFirst(this.#pushed);
    this.#folders = await folderPaths(db, caller.workspaceId);
    const present = await partsPresent(db, found);
    for (const id of found) this.#parts.set(id, await storedParts(call, id, { present, toKey: itself }));
  }

  /** Stores the workflows in an order in which each finds those that it calls. */
  async apply(): Promise<void> {
    for (const one of this.#pushed) {
      const unresolved = referencesOf(one.item).filter((reference) => this.state.isFailed(reference));
      if (unresolved.length > 0) this.state.issue(placeOf(one.key), { message: NEEDS, details: needed(unresolved) });
      else await this.#store(one);
    }
    await this.#prune();
    await this.#record();
  }

  async #store(one: Pushed): Promise<void> {
    await this.#createCalled(one);
    const folder: Place = { kind: 'folder', name: one.item.folder.join(' / '), workflow: null };
    if (!(await this.state.attempt(folder, () => this.#createFolders(one.item.folder)))) return;
    if (!(await this.state.attempt(placeOf(one.key), () => this.#storeHead(one)))) return;
    const id = this.state.ids.workflow.get(one.key) ?? '';
    await pushParts(this.state, one, {
      id,
      stored: this.#parts.get(id),
      toId: this.#resolvers.get(one.key) ?? itself,
    });
  }

  /** Workflows that call each other in a cycle, or themselves: one is created empty, and gets its definition in its turn. */
  async #createCalled({ item }: Pushed): Promise<void> {
    const { call, ids } = this.state;
    for (const { resource, id } of referencesOf(item)) {
      const called = this.#pushed.find((other) => other.key === id && resource === 'workflow');
      if (!called || ids.workflow.has(called.key)) continue;
      await this.state.attempt(placeOf(called.key), async () => {
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
      const id = this.state.resolve(reference);
      if (typeof id === 'string') found.set(`${reference.resource} ${reference.id}`, id);
      else errors.push(id);
    }
    if (errors.length > 0) throw invalid(errors, 'It refers to objects that can’t be found.');
    return ({ resource, id }) => found.get(`${resource} ${id}`) ?? id;
  }

  async #storeHead(one: Pushed): Promise<void> {
    const { item, row, key } = one;
    const { call, ids, asked } = this.state;
    const own = ids.workflow.get(key);
    const toId = this.#resolver(item);
    this.#resolvers.set(key, toId);
    const { errorWorkflow, ...settings } = item.settings;
    const errorWorkflowId =
      errorWorkflow === null
        ? null
        : toId({ resource: 'workflow', id: errorWorkflow, field: 'settings.errorWorkflow' });
    const definition = withReferences(item.definition, toId);
    const { name, description, tags, concurrency } = item;
    const folderId = this.#folderAt(item.folder) ?? null;
    const message = `Pushed from the project ${asked.project}`;
    const wanted = { name, description, definition, tags, folderId, concurrency };
    const body = { ...wanted, settings: { ...settings, errorWorkflowId }, message };
    const { triggers: _triggers, tests: _tests, id: _id, key: _key, ...after } = item;
    const [next, further] = transitions(row?.status ?? 'draft', item.status);
    const status = next === undefined ? {} : { status: next };
    if (!row) {
      const { id } =
        own === undefined
          ? await within(call, createWorkflow, { body: { ...body, ...status } })
          : await within(call, updateWorkflow, { params: { id: own }, body: { ...body, ...status } });
      ids.workflow.set(key, id);
      this.#created.add(id);
      if (further) await within(call, updateWorkflow, { params: { id }, body: { status: further } });
      return this.state.change({ kind: 'workflow', name: key, action: 'create', after });
    }
    const stored = headOf(row, { toKey: itself, folders: this.#folders });
    const there = { ...after, definition, settings: { ...item.settings, errorWorkflow: errorWorkflowId } };
    const fields = differing(stored, there);
    if (fields.length === 0) return;
    const isContent = fields.some((field) => CONTENT.includes(field));
    if (isContent) this.#requireUnchanged(one, row);
    const changed = Object.fromEntries(
      Object.entries(body).filter(([field]) => fields.includes(field === 'folderId' ? 'folder' : field)),
    );
    const params = { id: row.id };
    const guard = isContent ? { version: row.version, message } : {};
    await within(call, updateWorkflow, { params, body: { ...changed, ...guard, ...status } });
    if (further) await within(call, updateWorkflow, { params, body: { status: further } });
    const before = headOf(row, { toKey: this.state.keysHere(), folders: this.#folders });
    this.state.change({ kind: 'workflow', name: key, action: 'update', fields, before, after });
  }

  /** Throws 409 if the workflow was changed here since the files were pulled or pushed. */
  #requireUnchanged({ identity }: Pushed, row: Row): void {
    const { asked, call } = this.state;
    if (asked.force) return;
    const expected = asked.versions[call.caller.workspaceId]?.[identity] ?? this.#records.get(identity)?.version;
    const way = 'Look at the differences; a push with force replaces it.';
    if (expected === undefined)
      throw conflict(`It exists here already, and this project has not been pushed to it. ${way}`);
    if (row.version !== expected)
      throw conflict(`It was changed here: it is at version ${row.version}, the push expects ${expected}. ${way}`);
    if (row.draftVersion !== null) throw conflict(`It has a draft here that is not published. ${way}`);
  }

  #folderAt(path: readonly string[]): string | undefined {
    return [...this.#folders].find(([, other]) => isDeepStrictEqual(other, path))?.[0];
  }

  /** Creates the folders of a path that are missing. */
  async #createFolders(path: readonly string[]): Promise<void> {
    const created = new Map<string, string[]>();
    let parentId: string | null = null;
    for (const [index, name] of path.entries()) {
      const here = path.slice(0, index + 1);
      const known: string | undefined = this.#folderAt(here);
      if (known === undefined) {
        const { id }: Folder = await within(this.state.call, createFolder, { body: { name, parentId } });
        created.set(id, here);
        parentId = id;
      } else parentId = known;
    }
    for (const [id, here] of created) {
      this.#folders.set(id, here);
      this.state.change({ kind: 'folder', name: here.join(' / '), action: 'create' });
    }
  }

  /** What later pushes find the workflows by, and the versions that they expect. */
  async #record(): Promise<void> {
    const { call, asked, ids } = this.state;
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
    const { call, asked, catalogue } = this.state;
    const identities = new Set(asked.workflows.map((item) => item.id ?? keyOf(item)));
    for (const [identity, { workflowId }] of this.#records) {
      if (identities.has(identity)) continue;
      const name = catalogue.workflow.find(({ id }) => id === workflowId)?.name;
      if (name === undefined) continue;
      const place = placeOf(name);
      if (!asked.prune) this.state.note(place, 'It is not in the files. A push with prune deletes it.');
      else
        await this.state.attempt(place, async () => {
          await within(call, deleteWorkflow, { params: { id: workflowId } });
          this.state.change({ ...place, action: 'delete' });
        });
    }
  }

  /** The workflows of the files with their ids and versions here. `isDone`: those that were created exist from now on. */
  async outcome(isDone: boolean): Promise<ProjectPlan['workflows']> {
    const { call, ids } = this.state;
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

const CONTENT = ['name', 'description', 'definition'];
const NEEDS = 'It needs objects that can’t be pushed.';
const needed = (references: readonly Reference[]): FieldError[] =>
  references.map(({ resource, id, field }) => ({ field, message: `names the ${resource} ${id}` }));

/** The states that lead from one to another. A draft becomes paused by way of active. */
function transitions(from: string, to: WorkflowStatus | undefined): WorkflowStatus[] {
  if (to === undefined || to === from) return [];
  return from === 'draft' && to === 'paused' ? ['active', 'paused'] : [to];
}
