/** The parts of an OpenAPI 3.0 document that the reference shows. */
export interface ApiSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, ApiSchema>;
  required?: string[];
  items?: ApiSchema;
  additionalProperties?: ApiSchema | boolean;
  anyOf?: ApiSchema[];
  oneOf?: ApiSchema[];
  allOf?: ApiSchema[];
}

export interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema?: ApiSchema;
}

interface ApiContent {
  schema?: ApiSchema;
  example?: unknown;
}

export interface DocumentedResponse {
  $ref?: string;
  description?: string;
  content?: Record<string, ApiContent>;
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: DocumentedParameter[];
  requestBody?: { required?: boolean; content: Record<string, ApiContent> };
  responses: Record<string, DocumentedResponse>;
}

export interface ReferenceDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, ApiSchema>; responses?: Record<string, DocumentedResponse> };
}

/** An operation with its address. */
export interface ApiDocumentEntry {
  id: string;
  method: string;
  path: string;
  operation: DocumentedOperation;
}

export interface ApiOperationGroup {
  name: string;
  description?: string;
  entries: ApiDocumentEntry[];
}

const DOCUMENTED_METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations by tag, in the order of the document; only those that contain every word of the search. */
export function groupOperations({ tags, paths }: ReferenceDocument, search: string): ApiOperationGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => DOCUMENTED_METHODS.includes(method))
      .map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
  );
  const isFound = ({ id, method, path, operation }: ApiDocumentEntry) => {
    const text = [id, method, path, operation.summary, operation.tags?.join(' ')].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = entries.filter(isFound);
  return tags
    .map(({ name, description }) => ({
      name,
      description,
      entries: found.filter(({ operation }) => (operation.tags?.[0] ?? '') === name),
    }))
    .filter(({ entries: own }) => own.length > 0);
}

const referencedName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** The schema itself, without a reference. */
export const resolveSchema = (document: ReferenceDocument, schema: ApiSchema): ApiSchema =>
  schema.$ref ? (document.components.schemas[referencedName(schema.$ref)] ?? {}) : schema;

export const resolveResponse = (document: ReferenceDocument, answer: DocumentedResponse): DocumentedResponse =>
  answer.$ref ? (document.components.responses?.[referencedName(answer.$ref)] ?? {}) : answer;

const isNullSchema = ({ enum: values }: ApiSchema) => values?.length === 1 && values[0] === null;

/** The alternatives of a schema, without null. */
const nonNullAlternatives = ({ anyOf, oneOf }: ApiSchema): ApiSchema[] =>
  (anyOf ?? oneOf ?? []).filter((one) => !isNullSchema(one));

const MAX_LISTED_ENUM_VALUES = 12;

/** The type of a value in words: `text (date-time)`, `list of Workflow`, `"asc" or "desc"`. */
export function describeSchemaType(document: ReferenceDocument, schema: ApiSchema): string {
  const alternatives = nonNullAlternatives(schema);
  const isNullable = schema.nullable === true || (schema.anyOf ?? []).some(isNullSchema);
  const suffix = isNullable ? ' or null' : '';
  if (schema.$ref) {
    const target = resolveSchema(document, schema);
    return (target.enum ? describeSchemaType(document, target) : referencedName(schema.$ref)) + suffix;
  }
  if (alternatives.length > 0)
    return alternatives.map((one) => describeSchemaType(document, one)).join(' or ') + suffix;
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value));
    const more = values.length > MAX_LISTED_ENUM_VALUES ? ', …' : '';
    return values.slice(0, MAX_LISTED_ENUM_VALUES).join(', ') + more + suffix;
  }
  if (schema.type === 'array')
    return `list of ${schema.items ? describeSchemaType(document, schema.items) : 'any value'}${suffix}`;
  if (schema.type === 'string') return `text${schema.format ? ` (${schema.format})` : ''}${suffix}`;
  if (schema.type === 'object') return `object${suffix}`;
  return `${schema.type ?? 'any value'}${suffix}`;
}

/** One property of an object, at a depth. */
export interface FlattenedProperty {
  path: string;
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description?: string;
}

const MAX_PROPERTY_DEPTH = 4;
const MAX_SCHEMA_ROWS = 250;

/** The properties of a schema with those inside them, in order. Schemas that contain themselves are shown once. */
export function listSchemaProperties(document: ReferenceDocument, schema: ApiSchema): FlattenedProperty[] {
  const rows: FlattenedProperty[] = [];
  const walk = (one: ApiSchema, path: string, depth: number, above: readonly string[]) => {
    if (depth > MAX_PROPERTY_DEPTH) return;
    const { $ref } = one;
    if ($ref && above.includes($ref)) return;
    const within = $ref ? [...above, $ref] : above;
    const target = resolveSchema(document, one);
    for (const part of [...(target.allOf ?? []), ...nonNullAlternatives(target)]) walk(part, path, depth, within);
    if (target.items) walk(target.items, path, depth, within);
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      if (rows.length >= MAX_SCHEMA_ROWS) return;
      const own = `${path}.${name}`;
      // Alternatives may have the same property, which is listed once.
      if (rows.some((row) => row.path === own)) continue;
      const description = property.description ?? resolveSchema(document, property).description;
      const isRequired = target.required?.includes(name) ?? false;
      rows.push({ path: own, name, depth, type: describeSchemaType(document, property), isRequired, description });
      walk(property, own, depth + 1, within);
    }
  };
  walk(schema, '', 0, []);
  return rows;
}

/** A value to begin with: the required properties, with examples where there are some. */
export function exampleValue(document: ReferenceDocument, schema: ApiSchema, above: readonly string[] = []): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref && above.includes(schema.$ref)) return {};
  const within = schema.$ref ? [...above, schema.$ref] : above;
  const target = resolveSchema(document, schema);
  if (target !== schema && target.example !== undefined) return target.example;
  if (target.enum) return target.enum[0];
  const [first] = nonNullAlternatives(target);
  if (first) return exampleValue(document, first, within);
  if (target.type === 'array') return [];
  if (target.type === 'string') return '';
  if (target.type === 'boolean') return false;
  if (target.type === 'integer' || target.type === 'number') return target.minimum ?? 0;
  const required = Object.entries(target.properties ?? {}).filter(([name]) => target.required?.includes(name));
  return Object.fromEntries(required.map(([name, property]) => [name, exampleValue(document, property, within)]));
}

/** The address of a call: path parameters encoded, empty query parameters left out. */
export function buildRequestUrl(
  path: string,
  parameters: DocumentedParameter[],
  values: Record<string, string>,
): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[`path ${name}`] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query')
      .map((one): [string, string] => [one.name, values[`query ${one.name}`] ?? ''])
      .filter(([, value]) => value !== ''),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}
