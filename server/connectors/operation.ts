import type { ResponseHeaders } from '@/server/network/outbound/response-headers';
import { z } from 'zod';
import type { FileValue } from '@/contract/file-value';
import type { QueryStyle } from '@/server/evaluation/openapi/record';
import { ALL_PAGES_PARAMETER, booleanParameter, type ParameterShape } from './parameters';

/** How a provider returns the next page; `items` of the operation says where this page's items are. */
export type ConnectorPaging =
  /** A `Link: <…>; rel="next"` header (RFC 8288). */
  | { kind: 'link' }
  /** The answer holds the next page's address. */
  | { kind: 'address'; at: string }
  /** The answer contains a token that goes into the query, or into the body. */
  | { kind: 'token'; at: string; query: string }
  | { kind: 'token'; at: string; body: string }
  /** The query contains an offset; `size` is the parameter for the page size, with the provider's default. */
  | { kind: 'offset'; query: string; size: string; defaultSize: number }
  /** The query contains the number of a page; the last one is not full. */
  | { kind: 'page'; query: string; first: number; size: string; defaultSize: number }
  /** The query contains the id of the last item; `more`: where the answer says whether there are more. */
  | { kind: 'last'; query: string; id: string; more: string };

export type ApiMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A part of a body of pieces: text, or the content of a file, as it is or in base64. */
export type BodyPiece = string | { file: FileValue; isBase64?: true };

/** The body of a request to an API. */
export type ApiRequestBody =
  | { as: 'json'; value: unknown; type?: string }
  | { as: 'text'; text: string; type?: string }
  /** Lists repeat a field as `name[0]`, objects become `name[key]`. */
  | { as: 'form'; fields: Record<string, unknown> }
  /** A form with files. Fields without a value are left out. */
  | { as: 'multipart'; fields: Record<string, unknown>; files: { name: string; file: FileValue }[] }
  | { as: 'file'; file: FileValue; type?: string }
  | { as: 'pieces'; type: string; pieces: BodyPiece[] };

/** The file that an answer becomes. */
export interface ResponseFile {
  /** Default: as the answer says. */
  name?: string;
  contentType?: string;
  /** The content is base64 in this field of a JSON object. */
  base64At?: string;
}

/** A request to an API, without its credential. */
export interface ApiRequest {
  /** Default: GET. */
  method?: ApiMethod;
  /**
   * From the API's base address, percent-encoded. An absolute address must be one of the API or of the connector's
   * `hosts`.
   */
  path: string;
  /** One of the connector's `apis`; absent: the main one. */
  api?: string;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: ApiRequestBody;
  /** The content of the answer becomes a file; the body of the answer is its value. */
  asFile?: ResponseFile;
  /** The steps handle an answer with this status, which is a failure elsewhere. */
  acceptedStatus?: number;
}

/** The answer of an API. */
export interface ApiResponse {
  status: number;
  headers: ResponseHeaders;
  body: unknown;
}

/** The requests of an operation, one after the other; what it returns is the body of the output. */
export type OperationSteps = Generator<ApiRequest, unknown, ApiResponse>;

/** How an operation finds new items as the source of a poll. Expressions are those of a poll. */
export interface PollPreset {
  /** In the palette: `New email`. */
  title: string;
  /** Lower-case words that people search for. */
  words?: string;
  /** Values of parameters to begin with; expressions see `cursor`. */
  parameters?: Record<string, unknown>;
  items: string;
  key: string;
  cursor?: string;
}

interface OperationInfo {
  /** `<things>.<verb>` */
  id: string;
  title: string;
  /** One line: what it does beyond its title. */
  help?: string;
  /** The provider's limits, in one sentence. */
  limits?: string;
  /** An answer of the API: the body of the output. */
  example?: unknown;
  poll?: PollPreset;
}

/** One call of a provider's API as data. Every parameter name has one meaning. */
export interface DataOperation extends OperationInfo {
  method: ApiMethod;
  /** From the API's base address; `{name}` is filled from the parameters, percent-encoded. */
  path: string;
  /** The path if this parameter of the path, which is optional then, is left out. */
  pathWithout?: { parameter: string; path: string };
  /** One of the connector's `apis`; absent: the main one. */
  api?: string;
  /** Parameters that are not sent: what others are picked from depends on them. */
  unsent?: z.ZodRawShape;
  /** Parameters in the path, in the query, in headers, and in the body. */
  inPath?: ParameterShape;
  inQuery?: ParameterShape;
  inHeader?: ParameterShape;
  inBody?: ParameterShape;
  /** The provider's names where they are not usable as parameter names: ours → theirs. */
  names?: Record<string, string>;
  /** How lists and objects are written, by the provider's name of the parameter; absent: lists are joined by commas. */
  styles?: Record<string, QueryStyle>;
  /** Constant parts. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Constant fields of the body. */
  constants?: Record<string, unknown>;
  /** How the body is sent; default: JSON. */
  bodyAs?: 'json' | 'form' | 'multipart' | 'text' | 'file';
  /** Its content type, if it is not that of `bodyAs`. */
  bodyType?: string;
  /** Name of the object that wraps the body. */
  wrap?: string;
  /** The one parameter that is the whole body. */
  wholeBody?: string;
  /** The content of the answer becomes a file; the body of the output is its value. */
  asFile?: true;
  /** Dotted path of the list in the answer; `''`: the answer itself. */
  items?: string;
  paging?: ConnectorPaging;
  /** It works without a credential. */
  isPublic?: true;
  steps?: never;
}

/** Calls of a provider's API that data cannot describe: a pure generator, which is tested without a network. */
export interface SteppedOperation extends OperationInfo {
  parameters: ParameterShape;
  steps(values: Record<string, unknown>): OperationSteps;
}

export type OperationDefinition = DataOperation | SteppedOperation;

/** An operation with steps; the types of its values are those of its parameters. */
export const defineSteppedOperation = <Shape extends ParameterShape>(
  operation: Omit<SteppedOperation, 'parameters' | 'steps'> & {
    parameters: Shape;
    steps(values: z.output<z.ZodObject<Shape, z.core.$strict>>): OperationSteps;
  },
): SteppedOperation => operation as unknown as SteppedOperation;

/** The parameters of an operation, of all parts of the request. */
export const operationParameters = (operation: OperationDefinition): z.ZodObject => {
  if (operation.steps) return z.strictObject(operation.parameters);
  const { unsent, inPath, inQuery, inHeader, inBody, paging, items } = operation;
  const paged =
    paging && items !== undefined ? { [ALL_PAGES_PARAMETER]: booleanParameter('All pages').optional() } : {};
  return z.strictObject({ ...unsent, ...inPath, ...inQuery, ...inHeader, ...inBody, ...paged });
};
