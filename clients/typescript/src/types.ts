import type { components, paths } from './generated/openapi.js';

/** Objects of the API by name, generated from its description. */
export type Schemas = components['schemas'];
export type Workflow = Schemas['Workflow'];
export type Definition = Schemas['Definition'];
export type Execution = Schemas['Execution'];
export type ExecutionStatus = Schemas['ExecutionStatus'];

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the API that take a method. */
export type PathWithMethod<M extends HttpMethod> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type OperationForMethod<P extends keyof paths, M extends HttpMethod> = paths[P] extends { [K in M]: infer O }
  ? O
  : never;

type ParametersIn<O, Name extends string> = O extends { parameters: infer All }
  ? All extends { [K in Name]?: infer One }
    ? Exclude<One, undefined>
    : never
  : never;
type JsonBodyType<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type RequestBodyJson<O> = O extends { requestBody?: infer Request } ? JsonBodyType<Exclude<Request, undefined>> : never;
type OperationResponses<O> = O extends { responses: infer All } ? All : never;
type SuccessBody<All> = { [S in keyof All]: S extends 200 | 201 | 202 ? JsonBodyType<All[S]> : never }[keyof All];

/** A parameter object: required if one of its fields is required, forbidden if it has no fields. */
type ParameterField<Name extends string, Value> = [Value] extends [never]
  ? { [K in Name]?: never }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

export type CallParameters<P extends keyof paths, M extends HttpMethod> = ParameterField<
  'path',
  ParametersIn<OperationForMethod<P, M>, 'path'>
> &
  ParameterField<'query', ParametersIn<OperationForMethod<P, M>, 'query'>> &
  ParameterField<'body', RequestBodyJson<OperationForMethod<P, M>>>;

/** The JSON that a call returns. Undefined: the response has no body. */
export type CallAnswer<P extends keyof paths, M extends HttpMethod> = [
  SuccessBody<OperationResponses<OperationForMethod<P, M>>>,
] extends [never]
  ? undefined
  : SuccessBody<OperationResponses<OperationForMethod<P, M>>>;

/** The paths of lists that are read page by page. */
export type ListPath = {
  [P in PathWithMethod<'get'>]: CallAnswer<P, 'get'> extends { data: unknown[] }
    ? 'limit' extends keyof NonNullable<CallParameters<P, 'get'>['query']>
      ? P
      : never
    : never;
}[PathWithMethod<'get'>];

/** Options of any call. */
export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /**
   * Repetitions with the same key and body get the first answer for 24 hours. Default for POST and PUT: a new key for
   * each call, so that retries do nothing twice.
   */
  idempotencyKey?: string;
}
