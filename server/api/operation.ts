import type { z } from 'zod';
import type { AuditCategory, Action, Resource } from '@/contract/security';
import type { CallHeaders } from './call-headers';
import type { Db } from '../db/client';
import type { Caller, Person } from '../auth/caller';
import type { CallingWebhook } from '../auth/calling-webhook';
import type { Problem } from './problem';

/**
 * Who may call: everybody, everybody who is signed in (whatever the workspace), whoever signs with a webhook's
 * secret, or members who hold a permission.
 */
export type Access = 'public' | 'signed-in' | 'signature' | { resource: Resource; action: Action };

/**
 * How an operation touches the database. `read`: no transaction. `write`: one transaction for the change, its audit
 * entry and its stored reply. `submit`: writes by itself, its audit entry included: a run through the engine's group
 * commit, or after a call to somebody else that no transaction should wait for; in one only when there is a reply to
 * store.
 */
export type Effect = 'read' | 'write' | 'submit';

/** Everything a handler may know about its call. */
export interface Call {
  requestId: string;
  /** The address of the client, after TRUST_PROXY. */
  ipAddress: string;
  userAgent: string;
  headers: CallHeaders;
  /** The query as it was written. */
  rawQuery: string;
  /** The body's exact bytes; empty without one. */
  rawBody: Uint8Array;
  /** Prisma: the call's transaction for `write`, else the plain client. */
  db: Db;
  /** True when `db` is a transaction. */
  inTransaction: boolean;
  /** Says what the audit entry can't read off the operation: the object's id, for one. May be called repeatedly. */
  note(facts: Facts): void;
  /** Does `work` once the change is stored for good, without keeping the caller waiting; a failure of it is logged. */
  afterwards(work: () => Promise<unknown>): void;
  /** The audit entry of this call, for `submit` operations to store along with the run. */
  auditEntry(): AuditRow;
}

/** A call of somebody who is signed in, in no workspace in particular. */
export interface PersonCall extends Call {
  person: Person;
}

/** A call whose caller is known, and a member of the workspace. */
export interface SignedInCall extends PersonCall {
  caller: Caller;
}

/** A call to a webhook's address. Its signature is the handler's to check: it is over the body. */
export interface WebhookCall extends Call {
  webhook: CallingWebhook;
}

/** A delivery that is refused unseen. */
export interface TurnedAway {
  webhook: CallingWebhook;
  ipAddress: string;
  userAgent: string;
  problem: Problem;
}

/** The call that an operation of this access is handed. */
export type CallOf<A extends Access> = A extends 'public'
  ? Call & { person: Person | null }
  : A extends 'signed-in'
    ? PersonCall
    : A extends 'signature'
      ? WebhookCall
      : SignedInCall;

/** What a handler adds to its call's audit entry. */
export interface Facts {
  resourceId?: string;
  workspaceId?: string;
  actorId?: string;
  metadata?: Record<string, unknown>;
}

/** An audit entry ready to be stored. */
export interface AuditRow {
  id: string;
  workspaceId: string | null;
  category: AuditCategory;
  action: string;
  result: 'success' | 'failure' | 'denied';
  actor: object;
  resource: object;
  metadata: object;
}

type Shape = z.ZodObject;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What arrives: each part parsed by its schema; an absent schema means that the part must be empty. */
export interface Input<
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
> {
  params: Params extends z.ZodType ? z.output<Params> : undefined;
  query: Query extends z.ZodType ? z.output<Query> : undefined;
  body: Body extends z.ZodType ? z.output<Body> : undefined;
}

/** An answer that is no JSON: a redirect, a page, a file. */
export interface Produces {
  status: 200 | 302;
  /** Absent for redirects. */
  mediaTypes?: string[];
  description: string;
}

/**
 * The one noun of the service: what a caller can do. REST routes, tRPC, the OpenAPI description, audit names and the
 * access tests are read off these records.
 */
export interface Operation<
  A extends Access = Access,
  Params extends Shape | undefined = Shape | undefined,
  Query extends Shape | undefined = Shape | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Output extends z.ZodType | undefined = z.ZodType | undefined,
  Id extends string = string,
  M extends Method = Method,
> {
  /** `<plural resource>.<verb>`: the name in tRPC, OpenAPI (operationId) and the audit log. */
  id: Id;
  method: M;
  /** `/api/workflows/{id}` */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  access: A;
  /** The path parameter that names the workspace of the call. Absent: X-Workspace-Id, else the token's. */
  workspaceParam?: string;
  effect: Effect;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The answer passes through this schema, so a secret has no field to leave by. Absent: 204. */
  output?: Output;
  /** 200 unless said otherwise. */
  status?: 200 | 201 | 202;
  /** Set where the answer is not JSON: `run` answers a `Response` then, over REST alone. */
  produces?: Produces;
  /**
   * A list that shows its caller what they may see and no more (`visibleTo`), so that it may be asked by those whose
   * permission holds under conditions or on single objects only.
   */
  isFiltered?: boolean;
  /** For `public`: whoever is signed in calls it as themselves, under the rules of `signed-in`. */
  usesPerson?: boolean;
  /** For `signed-in`: also for sessions that reach one workspace alone, and, with `true`, for API keys. */
  allowsLimited?: true | 'session';
  /** Also for people who must set up or show a second factor before anything else. */
  allowsUnenrolled?: boolean;
  /** Largest body in bytes; 1 MiB unless said otherwise. */
  maxBody?: number;
  /** Takes any body and reads `rawBody` by itself. */
  takesRawBody?: boolean;
  /** Absent for reads: they are not audited. */
  audit?: AuditCategory;
  /** Response headers read off the answer, e.g. ETag. */
  headers?(output: Output extends z.ZodType ? z.input<Output> : undefined): Record<string, string>;
  /** For `signature`: told of a delivery that was refused before `run` saw it, being one too many or too large. */
  turnedAway?(delivery: TurnedAway): Promise<void>;
  run(
    call: CallOf<A>,
    input: Input<Params, Query, Body>,
  ): Promise<(Output extends z.ZodType ? z.input<Output> : void) | Response>;
}

/** Infers the types of a record; does nothing at run time. */
export const operation = <
  const A extends Access,
  const Id extends string,
  const M extends Method,
  Output extends z.ZodType | undefined = undefined,
  Params extends Shape | undefined = undefined,
  Query extends Shape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  record: Operation<A, Params, Query, Body, Output, Id, M>,
): Operation<A, Params, Query, Body, Output, Id, M> => record;

/** What an operation is about, in one word: `workflow`. Audit entries and refusals name it. */
export const subjectOf = ({ access, id }: Operation): string =>
  typeof access === 'object' ? access.resource : (id.split('.')[0] ?? id).replace(/s$/, '');
