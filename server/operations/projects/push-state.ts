import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '@/contract/error';
import type {
  ProjectChange,
  ProjectIssue,
  ProjectNote,
  ProjectObjectKind,
  ProjectPlan,
  ProjectPush,
} from '@/contract/projects/project';
import type { SignedInCall } from '@/server/api/operation';
import { conflict, Problem } from '@/server/errors/problem';
import type { KeyedReference } from '@/server/workflow/references';
import type { OuterCall } from './within';
import { keysOf, type Catalogue, type Named, type ReferenceKind } from './names';

/** An object of the files, for messages. */
export interface Place {
  kind: ProjectObjectKind;
  name: string;
  workflow: string | null;
}

export const workflowPlace = (key: string): Place => ({ kind: 'workflow', name: key, workflow: null });

export const keyOf = (item: { key?: string | undefined; name: string }): string => item.key ?? item.name;

const KINDS = { credential: 'credentials', table: 'tables' } as const;

/** A push in progress: what it has found, changed and refused so far. Its transaction ends with the call. */
export class PushState {
  readonly #changes: ProjectChange[] = [];
  readonly #issues: ProjectIssue[] = [];
  readonly #notes: ProjectNote[] = [];
  /** Ids here of the objects of the files, by their keys. */
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

  readonly call: OuterCall;
  /** Whether the part under way has changed something. */
  #isChanged = false;

  constructor(
    call: SignedInCall,
    readonly asked: ProjectPush,
    readonly catalogue: Catalogue,
  ) {
    this.call = { ...call, beforeChange: () => this.#markPart() };
  }

  /** The savepoint of a part is set with its first change: most parts of most pushes change nothing. */
  async #markPart(): Promise<void> {
    if (this.#isChanged) return;
    await this.call.db.$executeRaw`SAVEPOINT part`;
    this.#isChanged = true;
  }

  change(change: Omit<ProjectChange, 'workflow' | 'fields'> & Partial<ProjectChange>): void {
    this.#changes.push({ workflow: null, fields: [], ...change });
  }

  note(place: Place, message: string): void {
    this.#notes.push({ ...place, message });
  }

  issue(place: Place, { message, details }: Pick<Problem, 'message' | 'details'>): void {
    const { kind, name } = place;
    if (kind === 'credential' || kind === 'table' || kind === 'workflow') this.#failed[kind].add(name);
    this.#issues.push({ ...place, message, details });
  }

  get hasIssues(): boolean {
    return this.#issues.length > 0;
  }

  /** Carries out a part of the push. Its refusal is an issue, and undoes the part: others are still tried, so that all issues are known. */
  async attempt(place: Place, work: () => Promise<void>): Promise<boolean> {
    const { db } = this.call;
    this.#isChanged = false;
    try {
      await work();
      if (this.#isChanged) await db.$executeRaw`RELEASE SAVEPOINT part`;
      return true;
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'INTERNAL_ERROR') throw error;
      if (this.#isChanged) await db.$executeRaw`ROLLBACK TO SAVEPOINT part`;
      this.issue(place, error);
      return false;
    }
  }

  /** The object here that a key of the files stands for. Undefined: there is none. Throws 409 if there are several. */
  match(kind: 'credential' | 'table', key: string, item: { id?: string | undefined; name: string }): Named | undefined {
    const mapped = this.asked.mapping[KINDS[kind]][key];
    const all = this.catalogue[kind];
    if (mapped !== undefined) {
      const found = all.find(({ id }) => id === mapped) ?? this.only(kind, mapped);
      if (!found) throw conflict(`The mapping names ${mapped}, which is no ${kind} here.`);
      return found;
    }
    return all.find(({ id }) => id === item.id) ?? this.only(kind, item.name);
  }

  /** The object with this name. Throws 409 if there are several. */
  only(kind: ReferenceKind, name: string): Named | undefined {
    const [first, second] = this.catalogue[kind].filter((one) => one.name === name);
    if (second)
      throw conflict(
        `Several ${kind}s here are named ${name}. Rename them${kind === 'workflow' ? '' : ', or name the id of one in the mapping'}.`,
      );
    return first;
  }

  /** Whether a reference of the files names an object that was refused: what refers to it is not reported as well. */
  isFailed = ({ resource, id: key }: Pick<KeyedReference, 'resource' | 'id'>): boolean =>
    this.#failed[resource].has(key);

  /** The id that a reference of the files stands for; otherwise why there is none. */
  resolve({ resource, id: key, field }: Pick<KeyedReference, 'resource' | 'id' | 'field'>): string | FieldError {
    const known = this.ids[resource].get(key);
    if (known !== undefined) return known;
    try {
      const found = resource === 'workflow' ? this.only(resource, key) : this.match(resource, key, { name: key });
      return found?.id ?? { field, message: `names the ${resource} ${key}, which is neither in the files nor here` };
    } catch (error) {
      if (error instanceof Problem) return { field, message: error.message };
      throw error;
    }
  }

  /** The key of an object here, as the files would name it. */
  keysHere(): (reference: Pick<KeyedReference, 'resource' | 'id'>) => string {
    const named: Record<ReferenceKind, Map<string, string>> = {
      credential: keysOf(this.catalogue.credential),
      workflow: keysOf(this.catalogue.workflow),
      table: keysOf(this.catalogue.table),
    };
    for (const kind of ['credential', 'workflow', 'table'] as const) {
      // A name that stands for another object in the files would say the wrong thing.
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
export const differing = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([field, value]) =>
    isDeepStrictEqual((before as Record<string, unknown>)[field], value) ? [] : [field],
  );
