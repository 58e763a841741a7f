import { z } from 'zod';

/*
 * An API as its OpenAPI document describes it, compiled to what the service stores: an evaluator process returns it, and connectors are made from it.
 */

/** The maximum size of a document in bytes. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;
/** At most this many operations of a document are listed. */
export const MAX_LISTED_OPERATIONS = 5000;
/** The maximum number of operations of one connector. */
export const MAX_CONNECTOR_OPERATIONS = 1000;
/** The maximum length of all operations of one connector as JSON. */
export const MAX_OPERATIONS_JSON = 4 * 1024 * 1024;

const VALUE_TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'any', 'file'] as const;

/** The part of JSON Schema that forms show and calls check. `any`: any value. */
export interface ValueSchema {
  type: (typeof VALUE_TYPES)[number];
  title?: string | undefined;
  description?: string | undefined;
  enum?: (string | number)[] | undefined;
  default?: string | number | boolean | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  items?: ValueSchema | undefined;
  properties?: Record<string, ValueSchema> | undefined;
  required?: string[] | undefined;
}

export const ValueSchema: z.ZodType<ValueSchema> = z.lazy(() =>
  z.strictObject({
    type: z.enum(VALUE_TYPES),
    title: z.string().optional(),
    description: z.string().optional(),
    enum: z.array(z.union([z.string(), z.number()])).optional(),
    default: z.union([z.string(), z.number(), z.boolean()]).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    items: ValueSchema.optional(),
    properties: z.record(z.string(), ValueSchema).optional(),
    required: z.array(z.string()).optional(),
  }),
);

/**
 * How a list or an object is written in a query. `comma`, `space`, `pipe`: joined. `repeat`: one parameter for each
 * item. `deep`: `name[key]`.
 */
const QueryStyle = z.enum(['comma', 'space', 'pipe', 'repeat', 'deep', 'json']);
export type QueryStyle = z.infer<typeof QueryStyle>;

/** The name of a parameter in workflows. */
const ParameterName = z.string().regex(/^[A-Za-z_]\w{0,99}$/);

/**
 * Which operation of the document lists what a parameter may hold: where the items are, the fields of an item with its
 * value and its name, and the operation's own parameters by those beside the parameter.
 */
const ParameterChoices = z.strictObject({
  /** The name of the source: the id of the operation, unless another parameter needs another field of its items. */
  source: z.string().min(1).max(100),
  operation: z.string().max(100),
  items: z.string().max(200),
  value: z.string().max(500),
  label: z.array(z.string().max(500)).max(20),
  from: z.record(ParameterName, ParameterName),
  /** The document does not say so: paths and fields do. */
  isProposed: z.literal(true).optional(),
});
export type ParameterChoices = z.infer<typeof ParameterChoices>;

const ApiParameter = z.strictObject({
  name: ParameterName,
  /** In the document. */
  theirs: z.string().max(500),
  in: z.enum(['path', 'query', 'header', 'body']),
  isRequired: z.boolean(),
  style: QueryStyle.optional(),
  schema: ValueSchema,
  choices: ParameterChoices.optional(),
});
export type ApiParameter = z.infer<typeof ApiParameter>;

const OperationBody = z.strictObject({
  as: z.enum(['json', 'form', 'multipart', 'text', 'file']),
  /** The content type, where it is not that of `as`. */
  type: z.string().max(200).optional(),
  /** The parameter that is the whole body. */
  whole: ParameterName.optional(),
});
export type OperationBody = z.infer<typeof OperationBody>;

/**
 * How lists go on: those of the kinds in `server/connectors/operation.ts` that a document tells. `items`: dotted path
 * of the list.
 */
const ApiPaging = z.intersection(
  z.object({ items: z.string().max(200) }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('link') }),
    z.object({ kind: z.literal('address'), at: z.string().max(200) }),
    z.object({ kind: z.literal('token'), at: z.string().max(200), query: z.string().max(200) }),
    z.object({
      kind: z.literal('offset'),
      query: z.string().max(200),
      size: z.string().max(200),
      defaultSize: z.number(),
    }),
    z.object({
      kind: z.literal('page'),
      query: z.string().max(200),
      first: z.number(),
      size: z.string().max(200),
      defaultSize: z.number(),
    }),
  ]),
);
export type ApiPaging = z.infer<typeof ApiPaging>;

/** The id of an operation in workflows. */
export const OperationId = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/);

export const ApiOperation = z.strictObject({
  id: OperationId,
  title: z.string().max(200),
  help: z.string().max(500),
  /** The first tag. */
  group: z.string().max(100).nullable(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().max(1000),
  /** The name of its server, if it is not the main one. */
  api: z.string().max(20).optional(),
  parameters: z.array(ApiParameter).max(200),
  body: OperationBody.optional(),
  /** It works without a credential. */
  isPublic: z.literal(true).optional(),
  isDeprecated: z.literal(true).optional(),
  /** The answer is a file. */
  isFile: z.literal(true).optional(),
  paging: ApiPaging.optional(),
  example: z.unknown().optional(),
});
export type ApiOperation = z.infer<typeof ApiOperation>;

const ApiTokenField = z.strictObject({
  name: ParameterName,
  title: z.string(),
  hint: z.string(),
  isSecret: z.boolean(),
});

const ValueTemplates = z.record(z.string(), z.string());

export const ApiAuthentication = z.strictObject({
  /** Operations need a credential, unless they are public. */
  isRequired: z.boolean(),
  /** Keys, tokens and passwords that a person enters; null: the API takes none that the service knows. */
  token: z
    .strictObject({
      title: z.string(),
      fields: z.array(ApiTokenField).max(10),
      /** In the values, `{name}` stands for a field. */
      headers: ValueTemplates,
      query: ValueTemplates,
      basic: z.strictObject({ username: z.string(), password: z.string() }).nullable(),
    })
    .nullable(),
  oauth: z
    .strictObject({
      flow: z.enum(['authorization_code', 'client_credentials']),
      authorizeUrl: z.url({ protocol: /^https?$/ }).optional(),
      tokenUrl: z.url({ protocol: /^https?$/ }),
      /** Requested by default, and further ones. */
      scopes: z.array(z.string()).max(200),
      optionalScopes: z.array(z.string()).max(1000),
    })
    .nullable(),
});
export type ApiAuthentication = z.infer<typeof ApiAuthentication>;

/** A connector without its operations. */
export const ApiConnection = z.strictObject({
  /** The base address of the API. */
  server: z.url({ protocol: /^https?$/ }),
  /** The base addresses of single operations, by name. */
  servers: z.record(z.string(), z.url({ protocol: /^https?$/ })),
  authentication: ApiAuthentication,
  /** The path of a reading call without parameters; null: there is none. */
  probe: z.string().nullable(),
  /** A person has chosen the server: the next document does not change it. */
  isServerChosen: z.literal(true).optional(),
});
export type ApiConnection = z.infer<typeof ApiConnection>;

/** An operation in the list that a person chooses from. */
export type OperationSummary = Pick<ApiOperation, 'id' | 'title' | 'help' | 'group' | 'method' | 'path'> & {
  isDeprecated: boolean;
};

/** An operation that cannot be used, and why. */
export interface SkippedOperation {
  method: string;
  path: string;
  reason: string;
}

/** A document after it was read. */
export interface CompiledDocument {
  title: string;
  description: string;
  /** `info.version` */
  version: string;
  frame: ApiConnection;
  /** Addresses that the document offers as servers, the chosen one first. */
  servers: string[];
  /** Sentences on the security schemes that cannot be used. */
  notes: string[];
  /** Accounts are connected only by an app that somebody has registered at the service. */
  needsAppRegistration: boolean;
  offered: OperationSummary[];
  skipped: SkippedOperation[];
  /** The selected operations. */
  operations: ApiOperation[];
}

/** Options for reading a document. */
export interface DocumentReadOptions {
  /** Ids of operations, `all`, or `none`: the document is only looked at. */
  selection: 'all' | 'none' | string[];
  /** Selected operations that the document does not have, or that cannot be used, are left out. */
  isLenient?: boolean;
  /** The base address in place of the document's. */
  server: string | null;
  /** The address of the document, for relative addresses in it. */
  base: string | null;
}

/** The reason why a document cannot be used, and the field of the request that it concerns. */
export interface DocumentRejection {
  message: string;
  field: 'openapi' | 'operations' | 'server';
}
