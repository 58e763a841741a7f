import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FieldIssue } from '@/contract/error-response';
import type { PlanProjectRequest } from '@/contract/projects/project';
import type {
  ProjectChange,
  ProjectIssue,
  ProjectNote,
  ProjectObjectType,
  ProjectPlan,
} from '@/contract/projects/project-plan';
import type { SignedInCall } from '@/server/api/operation/operation';
import { conflictProblem, ApiProblem } from '@/server/platform/errors/problem';
import type { KeyedReference } from '@/server/workflow/definition/references';
import type { EnclosingCall } from './run-operation-inside';
import { assignProjectKeys, type ReadableObjects, type ReadableObject, type ReferenceKind } from './object-keys';

/** Names an object of the files in messages. */
export interface ProjectObjectRef {
  kind: ProjectObjectType;
  name: string;
  workflow: string | null;
}

export const projectWorkflowRef = (key: string): ProjectObjectRef => ({ kind: 'workflow', name: key, workflow: null });

export const projectKey = (item: { key?: string | undefined; name: string }): string => item.key ?? item.name;

const MAPPING_FIELDS = { credential: 'credentials', table: 'tables' } as const;

/** Holds what a push in progress has found, changed and refused so far. Its transaction ends with the call. */
export class PushState {
  readonly #changes: ProjectChange[] = [];
  readonly #issues: ProjectIssue[] = [];
  readonly #notes: ProjectNote[] = [];
  /** Ids in the workspace of the objects of the files, by key. */
  readonly ids: Record<ReferenceKind, Map<string, string>> = {
    credential: new Map(),
    workflow: new Map(),
    table: new Map(),
  };
  /** Keys of the files whose objects could not be found or created. */
  readonly #failed: Record<ReferenceKind, Set<string>> = {
    credential: new Set(),
    workflow: new Set(),
    table: new Set(),
  };

  readonly call: EnclosingCall;
  /** Whether the current part of the push has changed something. */
  #isChanged = false;

  constructor(
    call: SignedInCall,
    readonly asked: PlanProjectRequest,
    readonly catalogue: ReadableObjects,
  ) {
    this.call = { ...call, beforeChange: () => this.#markPart() };
  }

  /** Sets the savepoint of a part with its first change, because most parts of most pushes change nothing. */
  async #markPart(): Promise<void> {
    if (this.#isChanged) return;
    await this.call.db.$executeRaw`SAVEPOINT part`;
    this.#isChanged = true;
  }

  recordChange(change: Omit<ProjectChange, 'workflow' | 'fields'> & Partial<ProjectChange>): void {
    this.#changes.push({ workflow: null, fields: [], ...change });
  }

  recordNote(place: ProjectObjectRef, message: string): void {
    this.#notes.push({ ...place, message });
  }

  recordIssue(place: ProjectObjectRef, { message, details }: Pick<ApiProblem, 'message' | 'details'>): void {
    const { kind, name } = place;
    if (kind === 'credential' || kind === 'table' || kind === 'workflow') this.#failed[kind].add(name);
    this.#issues.push({ ...place, message, details });
  }

  get hasIssues(): boolean {
    return this.#issues.length > 0;
  }

  /**
   * Carries out a part of the push. A refusal rolls back that part and becomes an issue; other parts go on, so that all
   * issues are known.
   */
  async runPart(place: ProjectObjectRef, work: () => Promise<void>): Promise<boolean> {
    const { db } = this.call;
    this.#isChanged = false;
    try {
      await work();
      if (this.#isChanged) await db.$executeRaw`RELEASE SAVEPOINT part`;
      return true;
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code === 'INTERNAL_ERROR') throw error;
      if (this.#isChanged) await db.$executeRaw`ROLLBACK TO SAVEPOINT part`;
      this.recordIssue(place, error);
      return false;
    }
  }

  /** Finds the object in the workspace for a key of the files. Throws 409 if there are several. */
  findMatch(
    kind: 'credential' | 'table',
    key: string,
    item: { id?: string | undefined; name: string },
  ): ReadableObject | undefined {
    const mapped = this.asked.mapping[MAPPING_FIELDS[kind]][key];
    const all = this.catalogue[kind];
    if (mapped !== undefined) {
      const found = all.find(({ id }) => id === mapped) ?? this.findByName(kind, mapped);
      if (!found) throw conflictProblem(`The mapping names ${mapped}, which is no ${kind} here.`);
      return found;
    }
    return all.find(({ id }) => id === item.id) ?? this.findByName(kind, item.name);
  }

  /** Finds the object with this name. Throws 409 if there are several. */
  findByName(kind: ReferenceKind, name: string): ReadableObject | undefined {
    const [first, second] = this.catalogue[kind].filter((one) => one.name === name);
    if (second)
      throw conflictProblem(
        `Several ${kind}s here are named ${name}. Rename them${kind === 'workflow' ? '' : ', or name the id of one in the mapping'}.`,
      );
    return first;
  }

  /** Whether a reference names an object that was refused. Such references are not reported as issues of their own. */
  isRefused = ({ resource, id: key }: Pick<KeyedReference, 'resource' | 'id'>): boolean =>
    this.#failed[resource].has(key);

  /** Resolves a reference of the files to an id, or to the reason why there is none. */
  resolve({ resource, id: key, field }: Pick<KeyedReference, 'resource' | 'id' | 'field'>): string | FieldIssue {
    const known = this.ids[resource].get(key);
    if (known !== undefined) return known;
    try {
      const found =
        resource === 'workflow' ? this.findByName(resource, key) : this.findMatch(resource, key, { name: key });
      return found?.id ?? { field, message: `names the ${resource} ${key}, which is neither in the files nor here` };
    } catch (error) {
      if (error instanceof ApiProblem) return { field, message: error.message };
      throw error;
    }
  }

  /** Returns a function that gives the key by which the files would name an object of the workspace. */
  makeKeyMapper(): (reference: Pick<KeyedReference, 'resource' | 'id'>) => string {
    const named: Record<ReferenceKind, Map<string, string>> = {
      credential: assignProjectKeys(this.catalogue.credential),
      workflow: assignProjectKeys(this.catalogue.workflow),
      table: assignProjectKeys(this.catalogue.table),
    };
    for (const kind of ['credential', 'workflow', 'table'] as const) {
      // A key that names another object in the files would be ambiguous here.
      for (const [id, key] of named[kind]) if (this.ids[kind].has(key)) named[kind].set(id, `${key} (${id})`);
      for (const [key, id] of this.ids[kind]) named[kind].set(id, key);
    }
    return ({ resource, id }) => named[resource].get(id) ?? id;
  }

  plan(workflows: ProjectPlan['workflows']): ProjectPlan {
    const content = { changes: this.#changes, issues: this.#issues, notes: this.#notes };
    const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
    return { ...content, workflows, workspaceId: this.call.caller.workspaceId, fingerprint };
  }
}

/** The names of the fields that differ. */
export const differingFields = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual((before as Record<string, unknown>)[field], value) ? [] : [field],
  );
