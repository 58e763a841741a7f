import {
  initTRPC,
  TRPCError,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from '@trpc/server';
import { z } from 'zod';
import { ErrorBody } from '@/contract/error';
import { operations, type AnyOperation } from '@/server/operations';
import type { Arrival } from '@/server/api/incoming';
import type { Operation, WebhookAccess } from '@/server/api/operation';
import type { JsonBody, JsonReply } from '@/server/api/operation-parts';
import { perform } from '@/server/pipeline/perform';
import { innerCall } from '../inner-call';

/** The context of the fetch adapter. `answerHeaders` are the headers of the HTTP answer. */
export interface TrpcContext {
  arrival: Arrival;
  answerHeaders: Headers;
  /** The bodies of the answers. The library writes the place in this list instead of a body: it would write all of them in one go. */
  bodies: unknown[];
  /** The rate limit headers, if the calls have been counted already. */
  rateLimitHeaders?: Record<string, string>;
}

/** More than any operation has parameters. Checked before they are: each wrong one is an issue, whoever sends them. */
const MAX_PARAMETERS = 50;
const FewParameters = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length <= MAX_PARAMETERS,
  { abort: true, message: `must be an object with at most ${MAX_PARAMETERS} fields` },
);

/** The parts of a call. Query values are texts in REST, so numbers are accepted for texts. */
const Parts = z
  .object({
    params: FewParameters.pipe(z.record(z.string(), z.string())).optional(),
    query: FewParameters.pipe(z.record(z.string(), z.union([z.string(), z.number()]).optional())).optional(),
    body: z.unknown().optional(),
  })
  .optional();

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter({ shape, error }) {
    const problem = problemOf(error);
    return { ...shape, message: problem.message, data: { ...shape.data, problem } };
  },
});

/** The documented error: a Problem unchanged; errors of tRPC itself (unknown procedure, wrong parts) in the same format. */
function problemOf({ cause, code }: TRPCError): ErrorBody['error'] {
  if (cause instanceof Refusal) return cause.problem;
  const word =
    code === 'NOT_FOUND' ? 'NOT_FOUND' : code === 'INTERNAL_SERVER_ERROR' ? 'INTERNAL_ERROR' : 'VALIDATION_ERROR';
  return { code: word, message: 'The call could not be understood.', details: [] };
}

class Refusal extends Error {
  constructor(readonly problem: ErrorBody['error']) {
    super(problem.message);
  }
}

const CODES = {
  VALIDATION_ERROR: 'BAD_REQUEST',
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  RATE_LIMITED: 'TOO_MANY_REQUESTS',
  INTERNAL_ERROR: 'INTERNAL_SERVER_ERROR',
} as const;

function procedureOf(operation: Operation) {
  const resolve = async ({ ctx, input }: { ctx: TrpcContext; input: z.output<typeof Parts> }) => {
    const { arrival, rateLimitHeaders } = ctx;
    const reply = await perform(operation, innerCall(operation, arrival, { ...input, rateLimitHeaders }));
    for (const [name, value] of Object.entries(reply.headers)) ctx.answerHeaders.set(name, value);
    if (reply.status < 400) return ctx.bodies.push(reply.body) - 1;
    const { error } = ErrorBody.parse(reply.body);
    throw new TRPCError({ code: CODES[error.code], message: error.message, cause: new Refusal(error) });
  };
  const procedure = t.procedure.input(Parts);
  return operation.method === 'GET' ? procedure.query(resolve) : procedure.mutation(resolve);
}

const all: readonly Operation[] = operations;

/** Excluded: deliveries, which are signed over their bytes, and redirects, downloads and uploads, which are not JSON. They exist over REST only. */
const rpcOperations = all.filter(
  ({ access, reply, body }) => access.kind !== 'webhook' && reply?.kind !== 'content' && body?.kind !== 'upload',
);

/** The operation of a procedure's name. */
export const operationNamed = (name: string): Operation | undefined => BY_NAME.get(name);

const BY_NAME = new Map<string, Operation>(rpcOperations.map((operation) => [operation.id, operation]));

const procedures: Record<string, Record<string, ReturnType<typeof procedureOf>>> = {};
for (const operation of rpcOperations) {
  const [resource = '', verb = ''] = operation.id.split('.');
  (procedures[resource] ??= {})[verb] = procedureOf(operation);
}

// The following types are for the compiler only: the router's type, derived from the same table.

type Offered = Exclude<AnyOperation, { access: WebhookAccess }>;
type ResourceOf<Id> = Id extends `${infer R}.${string}` ? R : never;
type VerbOf<Id, R extends string> = Id extends `${R}.${infer V}` ? V : never;

type Loose<Value> = string extends NonNullable<Value> ? Value | number : Value;
type QueryInput<Query> = { [Key in keyof Query]: Loose<Query[Key]> };
type Part<Name extends string, Value> = {} extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };
type SchemaPart<Name extends string, Schema> = Schema extends z.ZodType
  ? Part<Name, Name extends 'query' ? QueryInput<z.input<Schema>> : z.input<Schema>>
  : {};
type Optional<Value> = {} extends Value ? Value | undefined : Value;

type SchemaIn<Body> = Body extends JsonBody<infer Schema> ? Schema : undefined;

type DefinitionOf<Op> =
  Op extends Operation<infer _A, infer Params, infer Query, infer Body, infer Reply>
    ? {
        meta: object;
        input: Optional<SchemaPart<'params', Params> & SchemaPart<'query', Query> & SchemaPart<'body', SchemaIn<Body>>>;
        output: Reply extends JsonReply<infer Schema> ? z.output<Schema> : undefined;
      }
    : never;
type ProcedureOf<Op> = Op extends { method: 'GET' }
  ? TRPCQueryProcedure<DefinitionOf<Op>>
  : TRPCMutationProcedure<DefinitionOf<Op>>;

type Procedures = {
  [R in ResourceOf<Offered['id']>]: { [Op in Offered as VerbOf<Op['id'], R>]: ProcedureOf<Op> };
};

/** `router.<resource>.<verb>`, with input `{ params?, query?, body? }`. */
export type AppRouter = TRPCBuiltRouter<(typeof t)['_config']['$types'], Procedures>;

/** Every operation of the table as a procedure. A failure carries the documented error as `data.problem`. */
export const appRouter = t.router(procedures) as unknown as AppRouter;
