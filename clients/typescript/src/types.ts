import type { components, paths } from './generated/openapi.js';

/** Objects of the API by name, generated from its description. */
export type Schemas = components['schemas'];
export type Workflow = Schemas['Workflow'];
export type Definition = Schemas['Definition'];
export type Execution = Schemas['Execution'];
export type ExecutionStatus = Schemas['ExecutionStatus'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the API that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O : never;

type Part<O, Name extends string> = O extends { parameters: infer All }
  ? All extends { [K in Name]?: infer One }
    ? Exclude<One, undefined>
    : never
  : never;
type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<O> = O extends { requestBody?: infer Request } ? JsonOf<Exclude<Request, undefined>> : never;
type AnswersOf<O> = O extends { responses: infer All } ? All : never;
type Successes<All> = { [S in keyof All]: S extends 200 | 201 | 202 ? JsonOf<All[S]> : never }[keyof All];

/** Required if one of its fields is, absent if it has none. */
type Field<Name extends string, Value> = [Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

export type CallParameters<P extends keyof paths, M extends Method> = Field<'path', Part<OperationOf<P, M>, 'path'>> &
  Field<'query', Part<OperationOf<P, M>, 'query'>> &
  Field<'body', BodyOf<OperationOf<P, M>>>;

/** What a call answers; undefined: an answer without body. */
export type CallAnswer<P extends keyof paths, M extends Method> = [Successes<AnswersOf<OperationOf<P, M>>>] extends [
  never,
]
  ? undefined
  : Successes<AnswersOf<OperationOf<P, M>>>;

/** The paths of lists that are read page by page. */
export type ListPath = {
  [P in PathOf<'get'>]: CallAnswer<P, 'get'> extends { data: unknown[] }
    ? 'limit' extends keyof NonNullable<CallParameters<P, 'get'>['query']>
      ? P
      : never
    : never;
}[PathOf<'get'>];

/** Options of any call. */
export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /**
   * Repetitions with the same key and body get the first answer for 24 hours. Default for POST and PUT: a new key for each call, so
   * that retries do nothing twice.
   */
  idempotencyKey?: string;
}
