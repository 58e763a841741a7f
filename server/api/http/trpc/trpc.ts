import {
  initTRPC,
  TRPCError,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from '@trpc/server';
import { z } from 'zod';
import { ErrorResponse } from '@/contract/error-response';
import { operationTable, type AnyOperation } from '@/server/api/operations';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import type { OperationRecord, WebhookAccess } from '@/server/api/operation/operation';
import type { JsonBody, JsonReply } from '@/server/api/operation/operation-parts';
import { performOperation } from '@/server/api/pipeline/perform';
import { createInnerCall } from '../inner-call';

/** The context of the fetch adapter. `answerHeaders` are the headers of the HTTP answer. */
export interface TrpcContext {
  arrival: ReceivedRequest;
  answerHeaders: Headers;
  /**
   * The bodies of the answers. The library writes the place in this list instead of a body: it would write all of them
   * in one go.
   */
  bodies: unknown[];
  /** The rate limit headers, if the calls have been counted already. */
  rateLimitHeaders?: Record<string, string>;
}

/**
 * No operation has more parameters than this. The number is checked before the parameters, because each wrong one
 * becomes an issue.
 */
const MAX_CALL_PARAMETERS = 50;
const callParametersSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length <= MAX_CALL_PARAMETERS,
  { abort: true, message: `must be an object with at most ${MAX_CALL_PARAMETERS} fields` },
);

/** The parts of a call. Query values are texts in REST, so numbers are accepted for texts. */
const callPartsSchema = z
  .object({
    params: callParametersSchema.pipe(z.record(z.string(), z.string())).optional(),
    query: callParametersSchema.pipe(z.record(z.string(), z.union([z.string(), z.number()]).optional())).optional(),
    body: z.unknown().optional(),
  })
  .optional();

const trpcBuilder = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter({ shape, error }) {
    const problem = toDocumentedError(error);
    return { ...shape, message: problem.message, data: { ...shape.data, problem } };
  },
});

/**
 * The documented error: a Problem unchanged; errors of tRPC itself (unknown procedure, wrong parts) in the same format.
 */
function toDocumentedError({ cause, code }: TRPCError): ErrorResponse['error'] {
  if (cause instanceof OperationRefusedError) return cause.problem;
  const word =
    code === 'NOT_FOUND' ? 'NOT_FOUND' : code === 'INTERNAL_SERVER_ERROR' ? 'INTERNAL_ERROR' : 'VALIDATION_ERROR';
  return { code: word, message: 'The call could not be understood.', details: [] };
}

class OperationRefusedError extends Error {
  constructor(readonly problem: ErrorResponse['error']) {
    super(problem.message);
  }
}

const TRPC_CODES = {
  VALIDATION_ERROR: 'BAD_REQUEST',
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  RATE_LIMITED: 'TOO_MANY_REQUESTS',
  INTERNAL_ERROR: 'INTERNAL_SERVER_ERROR',
} as const;

function createProcedure(operation: OperationRecord) {
  const resolve = async ({ ctx, input }: { ctx: TrpcContext; input: z.output<typeof callPartsSchema> }) => {
    const { arrival, rateLimitHeaders } = ctx;
    const reply = await performOperation(
      operation,
      createInnerCall(operation, arrival, { ...input, rateLimitHeaders }),
    );
    for (const [name, value] of Object.entries(reply.headers)) ctx.answerHeaders.set(name, value);
    if (reply.status < 400) return ctx.bodies.push(reply.body) - 1;
    const { error } = ErrorResponse.parse(reply.body);
    throw new TRPCError({
      code: TRPC_CODES[error.code],
      message: error.message,
      cause: new OperationRefusedError(error),
    });
  };
  const procedure = trpcBuilder.procedure.input(callPartsSchema);
  return operation.method === 'GET' ? procedure.query(resolve) : procedure.mutation(resolve);
}

const everyOperation: readonly OperationRecord[] = operationTable;

/**
 * Excluded: deliveries, which are signed over their bytes, and redirects, downloads and uploads, which are not JSON.
 * They exist over REST only.
 */
const rpcOperations = everyOperation.filter(
  ({ access, reply, body }) => access.kind !== 'webhook' && reply?.kind !== 'content' && body?.kind !== 'upload',
);

/** The operation of a procedure's name. */
export const findProcedureOperation = (name: string): OperationRecord | undefined => OPERATIONS_BY_NAME.get(name);

const OPERATIONS_BY_NAME = new Map<string, OperationRecord>(
  rpcOperations.map((operation) => [operation.id, operation]),
);

const proceduresByResource: Record<string, Record<string, ReturnType<typeof createProcedure>>> = {};
for (const operation of rpcOperations) {
  const [resource = '', verb = ''] = operation.id.split('.');
  (proceduresByResource[resource] ??= {})[verb] = createProcedure(operation);
}

// The following types are for the compiler only: the router's type, derived from the same table.

type RpcOperation = Exclude<AnyOperation, { access: WebhookAccess }>;
type ResourceInId<Id> = Id extends `${infer R}.${string}` ? R : never;
type VerbInId<Id, R extends string> = Id extends `${R}.${infer V}` ? V : never;

type TextOrNumber<Value> = string extends NonNullable<Value> ? Value | number : Value;
type QueryInput<Query> = { [Key in keyof Query]: TextOrNumber<Query[Key]> };
type CallPart<Name extends string, Value> = {} extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };
type SchemaPart<Name extends string, Schema> = Schema extends z.ZodType
  ? CallPart<Name, Name extends 'query' ? QueryInput<z.input<Schema>> : z.input<Schema>>
  : {};
type OptionalIfEmpty<Value> = {} extends Value ? Value | undefined : Value;

type SchemaIn<Body> = Body extends JsonBody<infer Schema> ? Schema : undefined;

type ProcedureDefinition<Op> =
  Op extends OperationRecord<infer _A, infer Params, infer Query, infer Body, infer Reply>
    ? {
        meta: object;
        input: OptionalIfEmpty<
          SchemaPart<'params', Params> & SchemaPart<'query', Query> & SchemaPart<'body', SchemaIn<Body>>
        >;
        output: Reply extends JsonReply<infer Schema> ? z.output<Schema> : undefined;
      }
    : never;
type OperationProcedure<Op> = Op extends { method: 'GET' }
  ? TRPCQueryProcedure<ProcedureDefinition<Op>>
  : TRPCMutationProcedure<ProcedureDefinition<Op>>;

type ProcedureRecord = {
  [R in ResourceInId<RpcOperation['id']>]: { [Op in RpcOperation as VerbInId<Op['id'], R>]: OperationProcedure<Op> };
};

/** `router.<resource>.<verb>`, with input `{ params?, query?, body? }`. */
export type AppRouter = TRPCBuiltRouter<(typeof trpcBuilder)['_config']['$types'], ProcedureRecord>;

/** Every operation of the table as a procedure. A failure carries the documented error as `data.problem`. */
export const appRouter = trpcBuilder.router(proceduresByResource) as unknown as AppRouter;
