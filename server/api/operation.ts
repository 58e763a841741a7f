import type { z } from 'zod';
import type { AuditCategory, Action, Resource } from '@/contract/access/security';
import type { ErrorCode } from '@/contract/error';
import type { Db } from '@/server/db/client';
import type { Caller, Person } from '@/server/access/caller';
import type { CallingWebhook } from '@/server/webhooks/lookup';
import type { Problem } from '@/server/errors/problem';
import type { AuditRow } from '@/server/audit/entry';
import type { CallHeaders } from '@/server/client-address';
import type { Connection } from '@/server/disconnect';
import type { Spool } from '@/server/files/spool';

/**
 * Who may call: all clients, every signed-in user (in any workspace), senders with a webhook's secret, or members who
 * hold a permission.
 */
export type Access = 'public' | 'signed-in' | 'signature' | { resource: Resource; action: Action };

/**
 * How an operation uses the database. `read`: no transaction. `write`: one transaction for the change, its audit entry
 * and its stored reply. `submit`: writes by itself, its audit entry included: a run through the engine's group commit,
 * or after a call to a third party that must not hold a transaction open. It runs in a transaction only if a reply has
 * to be stored.
 */
export type Effect = 'read' | 'write' | 'submit';

/** The context that a handler gets for its call. */
export interface Call {
  requestId: string;
  /** The client's address, after TRUST_PROXY is applied. */
  ipAddress: string;
  userAgent: string;
  headers: CallHeaders;
  /** As sent: for HEAD not the operation's. */
  method: string;
  /** Without the query. */
  path: string;
  /** The raw query string. */
  rawQuery: string;
  /** The connection of the client; absent: unknown. */
  connection: Connection | undefined;
  /** The exact bytes of the body; empty without a body, and if it is in `spool`. */
  rawBody: Uint8Array;
  /** A body too large for memory, in a temporary file that is removed after the call. */
  spool: Spool | null;
  /** Prisma: the transaction of the call for `write`, else the plain client. */
  db: Db;
  /** True when `db` is a transaction. */
  inTransaction: boolean;
  /**
   * Adds to the audit entry what cannot be derived from the operation, for example the object's id. Can be called
   * repeatedly.
   */
  note(facts: Facts): void;
  /** Runs `work` after the commit without delaying the answer. A failure is logged. */
  afterwards(work: () => Promise<unknown>): void;
  /** The audit entry of this call, which `submit` operations store together with the run. */
  auditEntry(): AuditRow;
}

/** A call of a signed-in user, without a workspace. */
export interface PersonCall extends Call {
  person: Person;
}

/** A call of an authenticated member of the workspace. */
export interface SignedInCall extends PersonCall {
  caller: Caller;
}

/** A call to a webhook's address, as its verification allows it. */
export interface WebhookCall extends Call {
  webhook: CallingWebhook;
}

/** A delivery that is rejected before its content is read. */
export interface TurnedAway {
  webhook: CallingWebhook;
  ipAddress: string;
  userAgent: string;
  headers: CallHeaders;
  problem: Problem;
}

/** The type of call that an operation with this access receives. */
export type CallOf<A extends Access> = A extends 'public'
  ? Call & { person: Person | null }
  : A extends 'signed-in'
    ? PersonCall
    : A extends 'signature'
      ? WebhookCall
      : SignedInCall;

/** An answer with a status and headers of its own. Its body is a JSON value or a text. */
export class CustomReply {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly content: { body: unknown } | { text: string } | null,
  ) {}
}

/** Fields that a handler adds to its call's audit entry. */
export interface Facts {
  resourceId?: string;
  workspaceId?: string;
  actorId?: string;
  metadata?: Record<string, unknown>;
}

type Shape = z.ZodObject;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A field of a form that is read by the operation itself: text, or files. */
interface FormPart {
  kind: 'text' | 'files';
  description: string;
  isRequired?: boolean;
}

/** The request: each part is parsed by its schema. A missing schema means that the part must be empty. */
export interface Input<
  Params extends Shape | undefined,
  Query extends Shape | undefined,
  Body extends z.ZodType | undefined,
> {
  params: Params extends z.ZodType ? z.output<Params> : undefined;
  query: Query extends z.ZodType ? z.output<Query> : undefined;
  body: Body extends z.ZodType ? z.output<Body> : undefined;
}

/** A response that is not JSON: a redirect, a page, a file. */
export interface Produces {
  status: number;
  /** Absent for redirects. */
  mediaTypes?: readonly string[];
  description: string;
}

/** A further answer. */
export interface OtherAnswer extends Omit<Produces, 'status'> {
  /** `default`: any status. */
  status: number | 'default';
  /** Its body, if that is JSON. */
  body?: z.ZodType;
}

/** A refusal: a code of the contract, or what has a status of its own. */
export type Refusal = ErrorCode | 'METHOD_NOT_ALLOWED' | 'GONE' | 'RANGE_NOT_SATISFIABLE';

/**
 * The central record of the service: one action of the API. REST routes, tRPC, the OpenAPI document, audit names and
 * the access tests are derived from these records.
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
  /** Methods that lead to the same operation. */
  otherMethods?: readonly Method[];
  /** `/api/workflows/{id}` */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  access: A;
  /** The path parameter that names the call's workspace. Absent: X-Workspace-Id, else the token's workspace. */
  workspaceParam?: string;
  effect: Effect;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The answer passes through this schema, so that no field can leak a secret. Absent: 204. */
  output?: Output;
  /** The object as GET returns it, where that has other fields than the answer, or no `id`. */
  resource?: z.ZodType;
  /** Default: 200. */
  status?: 200 | 201 | 202;
  /** The address of a created object, for the `Location` header: a path whose parameters are fields of the answer. */
  location?: string;
  /** Set if the answer is not JSON: `run` then returns a `Response`, over REST only. */
  produces?: Produces;
  /** Answers besides those of `output`, `produces` and `prefersWait`, for the API description. */
  otherAnswers?: readonly OtherAnswer[];
  /** Refusals besides those that every operation with its access and method has, for the API description. */
  refusals?: readonly Refusal[];
  /**
   * A list that shows its caller only what they may see (`visibleTo`). Members whose permission has conditions or
   * covers single objects may call it, too.
   */
  isFiltered?: boolean;
  /** For `public`: signed-in users call it as themselves, under the rules of `signed-in`. */
  usesPerson?: boolean;
  /** For `public`: the caller is not identified, so that neither limits nor the audit entry depend on who is signed in. */
  isAnonymous?: boolean;
  /** For `public`: the bucket that counts a call in place of its network's; undefined: none. */
  bucketOf?(params: Record<string, string>, network: string): Promise<string | undefined>;
  /** For pages: a refusal as a page, in place of the documented error. */
  refusalPage?(problem: Problem): CustomReply;
  /** For `signed-in`: also open to sessions that reach one workspace only and, with `true`, to API keys. */
  allowsLimited?: true | 'session';
  /** For `signed-in`: concerns the person only, so a workspace named by the call is ignored. */
  isPersonal?: boolean;
  /** Also open to people who must first set up or show a second factor. */
  allowsUnenrolled?: boolean;
  /** Milliseconds that the transaction of a `write` may take; default 30,000. */
  transactionMs?: number;
  /** It opens its transaction itself. An Idempotency-Key is ignored: its reply would be stored in another one. */
  hasOwnTransaction?: true;
  /** Maximum body size in bytes; default 1 MiB. */
  maxBody?: number;
  /** Maximum number of JSON values in the body, those in lists and objects included; default 10,000. */
  maxValues?: number;
  /** The body's schema has asynchronous checks. */
  checksBodyLater?: boolean;
  /** Accepts any body and reads `rawBody` itself. `as sent`: it may be compressed. */
  takesRawBody?: true | 'as sent';
  /** Accepts any body of up to `maxBody` bytes, in `spool`: of any media type, as described of this one, or a form with these fields. */
  spoolsBody?: true | 'text/csv' | { form: Record<string, FormPart> };
  /** Takes `Prefer: wait`: it may answer 200 with the schema of this id, in place of the usual answer. */
  prefersWait?: string;
  /** Accepts any query and reads `rawQuery` itself. */
  takesAnyQuery?: boolean;
  /** Absent for reads, which are not audited. */
  audit?: AuditCategory;
  /** Response headers derived from the answer, e.g. ETag. */
  headers?(output: Output extends z.ZodType ? z.input<Output> : undefined): Record<string, string>;
  /**
   * For `signature`: called for a delivery that was rejected before `run`, because of the rate limit, its size or its
   * signature.
   */
  recordRefused?(delivery: TurnedAway): Promise<void>;
  run(
    call: CallOf<A>,
    input: Input<Params, Query, Body>,
  ): Promise<(Output extends z.ZodType ? z.input<Output> : void) | Response | CustomReply>;
}

/** Infers the types of a record; no effect at run time. */
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

/** The resource of an operation in one word, such as `workflow`, for audit entries and error messages. */
export const subjectOf = ({ access, id }: Operation): string =>
  typeof access === 'object' ? access.resource : (id.split('.')[0] ?? id).replace(/s$/, '');
