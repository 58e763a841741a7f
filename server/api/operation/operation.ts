import type { z } from 'zod';
import type { PermissionAction, PermissionResource } from '@/contract/access/security';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { WorkspaceCaller, AuthenticatedPerson } from '@/server/people/access/caller';
import type { PermissionWord } from '@/server/people/access/require';
import type { CallingWebhook } from '@/server/triggers/webhooks/lookup';
import type { ApiProblem } from '@/server/platform/errors/problem';
import type { AuditRow } from '@/server/people/audit/entry';
import type { CallHeaders } from '@/server/platform/messages/client-address';
import type { ClientConnection } from '@/server/platform/messages/disconnect';
import type { SpooledFile } from '@/server/data/files/spool';
import type {
  JsonBody,
  JsonReply,
  OtherReply,
  RefusalCode,
  RequestBody,
  UsualReply,
  DatabaseEffect,
} from './operation-parts';
import type { OperationTag } from './tags';

/** The context that a handler gets for its call. */
export interface OperationCall {
  requestId: string;
  /** The client's address, after TRUST_PROXY is applied. */
  ipAddress: string;
  userAgent: string;
  headers: CallHeaders;
  /** The method as sent. For HEAD it differs from the operation's. */
  method: string;
  /** Without the query. */
  path: string;
  /** The raw query string. */
  rawQuery: string;
  /** The connection of the client; absent: unknown. */
  connection: ClientConnection | undefined;
  /** The exact bytes of the body; empty without a body, and if it is in `spool`. */
  rawBody: Uint8Array;
  /** A body too large for memory, in a temporary file that is removed after the call. */
  spool: SpooledFile | null;
  /** Prisma: the transaction of the call for `write`, else the plain client. */
  db: DatabaseClient;
  /** True when `db` is a transaction. */
  inTransaction: boolean;
  /**
   * Adds to the audit entry what cannot be derived from the operation, for example the object's id. Can be called
   * repeatedly.
   */
  note(facts: AuditNote): void;
  /** Runs `work` after the commit without delaying the answer. A failure is logged. */
  afterwards(work: () => Promise<unknown>): void;
  /** The audit entry of this call, which `submit` operations store together with the run. */
  auditEntry(): AuditRow;
}

/** A call of a signed-in user, without a workspace. */
export interface PersonCall extends OperationCall {
  person: AuthenticatedPerson;
}

/** A call of an authenticated member of the workspace. */
export interface SignedInCall extends PersonCall {
  caller: WorkspaceCaller;
}

/** A call to a webhook's address, as its verification allows it. */
export interface WebhookCall extends OperationCall {
  webhook: CallingWebhook;
}

/** A delivery that is rejected before its content is read. */
export interface RejectedDelivery {
  webhook: CallingWebhook;
  ipAddress: string;
  userAgent: string;
  headers: CallHeaders;
  problem: ApiProblem;
}

/** An answer with a status and headers of its own. Its body is a JSON value or a text. */
export class CustomResponse {
  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
    readonly content: { body: unknown } | { text: string } | null,
  ) {}
}

/** Fields that a handler adds to its call's audit entry. */
export interface AuditNote {
  resourceId?: string;
  workspaceId?: string;
  actorId?: string;
  metadata?: Record<string, unknown>;
}

/** Every client may call. */
export interface PublicAccess {
  kind: 'public';
  /**
   * Absent: the caller is identified for the audit entry. `nobody`: not even that, so that neither limits nor the entry
   * depend on who is signed in. `person`: signed-in users call it as themselves, under the rules of `signedInAccess`.
   */
  callsAs?: 'nobody' | 'person';
  /** The bucket that counts a call in place of its network's; undefined: none. */
  bucketOf?(params: Record<string, string>, network: string): Promise<string | undefined>;
  /** For pages: a refusal as a page, in place of the documented error. */
  refusalPage?(problem: ApiProblem): CustomResponse;
}

/** Every signed-in user may call, in any workspace. */
export interface SignedInAccess {
  kind: 'signed-in';
  /** Also open to sessions that reach one workspace only and, with `true`, to API keys. */
  allowsLimited?: true | 'session';
  /** Concerns the person only, so a workspace named by the call is ignored. */
  isPersonal?: true;
  /** Also open to people who must first set up or show a second factor. */
  allowsUnenrolled?: true;
}

/** Senders whom the addressed webhook verifies may call. */
export interface WebhookAccess {
  kind: 'webhook';
  /** Called for a delivery that was rejected before `run`, because of the rate limit, its size or its signature. */
  recordRefused?(delivery: RejectedDelivery): Promise<void>;
}

/** Members of the workspace who hold a permission may call. */
export interface MemberAccess {
  kind: 'member';
  resource: PermissionResource;
  action: PermissionAction;
  /** The path parameter that names the call's workspace. Absent: X-Workspace-Id, else the token's workspace. */
  workspaceParam?: string;
  /**
   * A list that shows its caller only what they may see (`visibleRowsFilter`). Members whose permission has conditions
   * or covers single objects may call it, too.
   */
  isFiltered?: true;
  /** A permission on any object that is enough, too. The operation checks what it shows by it. */
  or?: PermissionWord;
}

/** Who may call an operation. */
export type OperationAccess = PublicAccess | SignedInAccess | WebhookAccess | MemberAccess;

export const publicAccess = (options: Omit<PublicAccess, 'kind'> = {}): PublicAccess => ({
  kind: 'public',
  ...options,
});

export const signedInAccess = (options: Omit<SignedInAccess, 'kind'> = {}): SignedInAccess => ({
  kind: 'signed-in',
  ...options,
});

export const webhookAccess = (options: Omit<WebhookAccess, 'kind'>): WebhookAccess => ({ kind: 'webhook', ...options });

export const memberAccess = (
  resource: PermissionResource,
  action: PermissionAction,
  options: Omit<MemberAccess, 'kind' | 'resource' | 'action'> = {},
): MemberAccess => ({ kind: 'member', resource, action, ...options });

/** Whether callers need no account of the service. */
export const isOpenAccess = ({ kind }: OperationAccess): boolean => kind === 'public' || kind === 'webhook';

/** The path parameter that names the call's workspace, if one does. */
export const workspaceParamIn = (access: OperationAccess): string | undefined =>
  access.kind === 'member' ? access.workspaceParam : undefined;

/** What a caller needs, in a word: a permission such as `workflow:read`, or who may call. */
export const accessWord = (access: OperationAccess): string => {
  if (access.kind === 'member') return `${access.resource}:${access.action}`;
  return access.kind === 'webhook' ? 'signature' : access.kind;
};

/** The type of call that an operation with this access receives. */
export type CallWithAccess<A extends OperationAccess> = A extends PublicAccess
  ? OperationCall & { person: AuthenticatedPerson | null }
  : A extends SignedInAccess
    ? PersonCall
    : A extends WebhookAccess
      ? WebhookCall
      : SignedInCall;

type ObjectSchema = z.ZodObject;
export type OperationMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The request: each part is parsed by its schema. A missing schema means that the part must be empty. */
export interface ParsedOperationInput<
  Params extends ObjectSchema | undefined,
  Query extends ObjectSchema | 'any' | undefined,
  Body extends RequestBody | undefined,
> {
  params: Params extends z.ZodType ? z.output<Params> : undefined;
  query: Query extends z.ZodType ? z.output<Query> : undefined;
  body: Body extends JsonBody<infer Schema> ? z.output<Schema> : undefined;
}

/** What `run` gives: the value of a JSON reply, or nothing. A reply with a status of its own may take its place. */
type RunResult<Reply extends UsualReply | undefined> =
  | (Reply extends JsonReply<infer Schema> ? z.input<Schema> : Reply extends undefined ? void : never)
  | Response
  | CustomResponse;

/**
 * The central record of the service: one action of the API. REST routes, tRPC, the OpenAPI document, audit names and
 * the access tests are derived from these records.
 */
export interface OperationRecord<
  A extends OperationAccess = OperationAccess,
  Params extends ObjectSchema | undefined = ObjectSchema | undefined,
  Query extends ObjectSchema | 'any' | undefined = ObjectSchema | 'any' | undefined,
  Body extends RequestBody | undefined = RequestBody | undefined,
  Reply extends UsualReply | undefined = UsualReply | undefined,
  Id extends string = string,
  M extends OperationMethod = OperationMethod,
> {
  /** `<plural resource>.<verb>`: the name in tRPC, OpenAPI (operationId) and the audit log. */
  id: Id;
  method: M;
  /** Methods that lead to the same operation. */
  otherMethods?: readonly OperationMethod[];
  /** `/api/workflows/{id}` */
  path: string;
  summary: string;
  description?: string;
  tag: OperationTag;
  access: A;
  effect: DatabaseEffect;
  params?: Params;
  /** `any`: the operation reads `rawQuery` itself. */
  query?: Query;
  body?: Body;
  /** Absent: 204. */
  reply?: Reply;
  /**
   * For the API description: answers besides `reply`, and refusals besides those that every operation with this access
   * and method has.
   */
  otherReplies?: readonly (OtherReply | RefusalCode)[];
  run(call: CallWithAccess<A>, input: ParsedOperationInput<Params, Query, Body>): Promise<RunResult<Reply>>;
}

/** The schema of the query, unless the operation reads that itself. */
export const querySchema = ({ query }: OperationRecord): ObjectSchema | undefined =>
  query === 'any' ? undefined : query;

/** Infers the types of a record; no effect at run time. */
export const defineOperation = <
  const A extends OperationAccess,
  const Id extends string,
  const M extends OperationMethod,
  Reply extends UsualReply | undefined = undefined,
  Params extends ObjectSchema | undefined = undefined,
  Query extends ObjectSchema | 'any' | undefined = undefined,
  Body extends RequestBody | undefined = undefined,
>(
  record: OperationRecord<A, Params, Query, Body, Reply, Id, M>,
): OperationRecord<A, Params, Query, Body, Reply, Id, M> => record;

/** The resource of an operation in one word, such as `workflow`, for audit entries and error messages. */
export const operationSubject = ({ access, id }: OperationRecord): string =>
  access.kind === 'member' ? access.resource : (id.split('.')[0] ?? id).replace(/s$/, '');
