import {
  initTRPC,
  TRPCError,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from '@trpc/server';
import { z } from 'zod';
import { ErrorBody } from '@/contract/error';
import { newId } from '../db/ids';
import { operations, type AnyOperation } from '../operations';
import { runtime } from '../runtime';
import { clientAddress } from './address';
import type { Incoming } from './incoming';
import type { Operation } from './operation';
import { perform } from './perform';

/** What the fetch adapter's `createContext` hands on. `answerHeaders` are the headers of the HTTP answer. */
export interface TrpcContext {
  headers: Headers;
  answerHeaders: Headers;
}

/** The parts of a call. Query values travel as text, so numbers may stand where text is asked for. */
const Parts = z
  .object({
    params: z.record(z.string(), z.string()).optional(),
    query: z.record(z.string(), z.union([z.string(), z.number()]).optional()).optional(),
    body: z.unknown().optional(),
  })
  .optional();

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => ({ ...shape, data: { ...shape.data, problem: problemOf(error) } }),
});

/** The documented error: ours as it is; tRPC's own (no such procedure, wrong parts) in the same words. */
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

function incomingOf({ method, path }: Operation, { headers }: TrpcContext, parts: z.output<typeof Parts>): Incoming {
  const { params = {}, query = {}, body } = parts ?? {};
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const asJson = new Headers(headers);
  asJson.set('content-type', 'application/json');
  return {
    requestId: newId('req'),
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    params,
    query: new URLSearchParams(given),
    rawQuery: '',
    headers: asJson,
    ipAddress: clientAddress(headers, runtime().env.trustProxy),
    readBody: async () => (body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body))),
  };
}

function procedureOf(operation: Operation) {
  const resolve = async ({ ctx, input }: { ctx: TrpcContext; input: z.output<typeof Parts> }) => {
    const reply = await perform(operation, incomingOf(operation, ctx, input));
    for (const [name, value] of Object.entries(reply.headers)) ctx.answerHeaders.set(name, value);
    if (reply.status < 400) return reply.body;
    const { error } = ErrorBody.parse(reply.body);
    throw new TRPCError({ code: CODES[error.code], message: error.message, cause: new Refusal(error) });
  };
  const procedure = t.procedure.input(Parts);
  return operation.method === 'GET' ? procedure.query(resolve) : procedure.mutation(resolve);
}

/** Deliveries are signed over their bytes, and redirects and files are no JSON: they have one door only. */
const offered = operations.filter((operation: Operation) => operation.access !== 'signature' && !operation.produces);

const procedures: Record<string, Record<string, ReturnType<typeof procedureOf>>> = {};
for (const operation of offered) {
  const [resource = '', verb = ''] = operation.id.split('.');
  (procedures[resource] ??= {})[verb] = procedureOf(operation);
}

// What follows is for the compiler alone: the router's type, read off the same table.

type Offered = Exclude<AnyOperation, { access: 'signature' }>;
type WordsOf<Id> = Id extends `${infer R}.${infer V}` ? [R, V] : never;
type ResourceOf<Op> = Op extends { id: infer Id } ? WordsOf<Id>[0] : never;
type VerbOf<Op, R> = Op extends { id: infer Id } ? (WordsOf<Id> extends [R, infer V] ? V : never) : never;

type Loose<Value> = string extends NonNullable<Value> ? Value | number : Value;
type QueryInput<Query> = { [Key in keyof Query]: Loose<Query[Key]> };
type Part<Name extends string, Value> = {} extends Value ? { [N in Name]?: Value } : { [N in Name]: Value };
type SchemaPart<Name extends string, Schema> = Schema extends z.ZodType
  ? Part<Name, Name extends 'query' ? QueryInput<z.input<Schema>> : z.input<Schema>>
  : {};
type Optional<Value> = {} extends Value ? Value | undefined : Value;

type DefinitionOf<Op> =
  Op extends Operation<infer _A, infer Params, infer Query, infer Body, infer Output>
    ? {
        meta: object;
        input: Optional<SchemaPart<'params', Params> & SchemaPart<'query', Query> & SchemaPart<'body', Body>>;
        output: Output extends z.ZodType ? z.output<Output> : undefined;
      }
    : never;
type ProcedureOf<Op> = Op extends { method: 'GET' }
  ? TRPCQueryProcedure<DefinitionOf<Op>>
  : TRPCMutationProcedure<DefinitionOf<Op>>;

type Procedures = {
  [R in ResourceOf<Offered> & string]: {
    [V in VerbOf<Offered, R> & string]: ProcedureOf<Extract<Offered, { id: `${R}.${V}` }>>;
  };
};

/** `router.<resource>.<verb>`, with input `{ params?, query?, body? }`. */
export type AppRouter = TRPCBuiltRouter<(typeof t)['_config']['$types'], Procedures>;

/** Every operation of the table as a procedure. A failed one carries the documented error as `data.problem`. */
export const appRouter = t.router(procedures) as unknown as AppRouter;
