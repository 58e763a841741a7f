import type { z } from 'zod';
import type { AuditCategory } from '@/contract/access/security';
import type { ApiErrorCode } from '@/contract/error-response';

/** What the constructors below add to a part of an operation. */
type Options<Part, Named extends keyof Part> = Omit<Part, 'kind' | Named>;

/** No transaction, and no audit entry. */
interface ReadEffect {
  kind: 'read';
  /** It opens its transaction itself. An Idempotency-Key is ignored: its reply would be stored in another one. */
  hasOwnTransaction?: true;
}

/** One transaction for the change, its audit entry and its stored reply. */
interface WriteEffect {
  kind: 'write';
  audit: AuditCategory;
  /** Milliseconds that the transaction may take; default 30,000. */
  transactionMs?: number;
}

/**
 * The operation writes by itself, its audit entry included: a run through the engine's group commit, or after a call to
 * a third party that must not hold a transaction open. It runs in a transaction only if a reply has to be stored.
 */
interface SubmitEffect {
  kind: 'submit';
  audit: AuditCategory;
}

/** How an operation uses the database. */
export type DatabaseEffect = ReadEffect | WriteEffect | SubmitEffect;

export const readEffect = (options: Options<ReadEffect, never> = {}): ReadEffect => ({ kind: 'read', ...options });

export const writeEffect = (audit: AuditCategory, options: Options<WriteEffect, 'audit'> = {}): WriteEffect => ({
  kind: 'write',
  audit,
  ...options,
});

export const submitEffect = (audit: AuditCategory): SubmitEffect => ({ kind: 'submit', audit });

interface SizedBody {
  /** Maximum size in bytes; default 1 MiB. */
  maxBytes?: number;
}

/** JSON that a schema parses. */
export interface JsonBody<Schema extends z.ZodType = z.ZodType> extends SizedBody {
  kind: 'json';
  schema: Schema;
  /** Maximum number of JSON values, those in lists and objects included; default 10,000. */
  maxValues?: number;
  /** The schema has asynchronous checks. */
  checksLater?: true;
}

/** Any body: the operation reads `rawBody` itself. */
interface RawBody extends SizedBody {
  kind: 'raw';
  /** `rawBody` is as sent: it may be compressed. */
  isCompressed?: true;
}

/** A field of a form that is read by the operation itself: text, or files. */
interface FormPart {
  kind: 'text' | 'files';
  description: string;
  isRequired?: boolean;
}

/** Any body, in `spool`. The API description says that it is of any type, of this one, or a form with these fields. */
export interface UploadBody extends SizedBody {
  kind: 'upload';
  mediaType?: 'text/csv';
  form?: Record<string, FormPart>;
}

/** What an operation takes as its body. */
export type RequestBody = JsonBody | RawBody | UploadBody;

export const jsonBody = <Schema extends z.ZodType>(
  schema: Schema,
  options: Options<JsonBody<Schema>, 'schema'> = {},
): JsonBody<Schema> => ({ kind: 'json', schema, ...options });

export const rawBody = (options: Options<RawBody, never> = {}): RawBody => ({ kind: 'raw', ...options });

export const uploadBody = (options: Options<UploadBody, never>): UploadBody => ({ kind: 'upload', ...options });

/** The schema of a JSON body. */
export const bodySchema = ({ body }: { body?: RequestBody }): z.ZodType | undefined =>
  body?.kind === 'json' ? body.schema : undefined;

/** JSON that passes through a schema, so that no field can leak a secret. */
export interface JsonReply<Schema extends z.ZodType = z.ZodType> {
  kind: 'json';
  schema: Schema;
  /** Default: 200. */
  status?: 200 | 201 | 202;
  /** The address of a created object, for the `Location` header: a path whose parameters are fields of the answer. */
  location?: string;
  /** Response headers derived from the answer, e.g. ETag. */
  headers?(output: z.input<Schema>): Record<string, string>;
  /** The object as GET returns it, where that has other fields than the answer, or no `id`. */
  resource?: z.ZodType;
  /** Takes `Prefer: wait`: it may answer 200 with the schema of this id, in place of the usual answer. */
  prefersWait?: string;
}

/** What is not JSON: a redirect, a page, a file. `run` returns a `Response`, over REST only. */
interface ContentReply {
  kind: 'content';
  status: number;
  /** Absent for redirects. */
  mediaTypes?: readonly string[];
  description: string;
}

/** What an operation usually answers. */
export type UsualReply = JsonReply | ContentReply;

/** A refusal: a code of the contract, or what has a status of its own. */
export type RefusalCode = ApiErrorCode | 'METHOD_NOT_ALLOWED' | 'GONE' | 'RANGE_NOT_SATISFIABLE';

/** A further answer, for the API description. */
export interface OtherReply extends Omit<ContentReply, 'kind' | 'status'> {
  /** `default`: any status. */
  status: number | 'default';
  /** Its body, if that is JSON. */
  body?: z.ZodType;
}

export const jsonReply = <Schema extends z.ZodType>(
  schema: Schema,
  options: Options<JsonReply<Schema>, 'schema'> = {},
): JsonReply<Schema> => ({ kind: 'json', schema, ...options });

export const contentReply = (options: Options<ContentReply, never>): ContentReply => ({ kind: 'content', ...options });

/** The reply of an operation that answers with JSON. */
export const jsonReplyIn = ({ reply }: { reply?: UsualReply }): JsonReply | undefined =>
  reply?.kind === 'json' ? reply : undefined;
