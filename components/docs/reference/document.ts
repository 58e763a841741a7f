/** The parts of an OpenAPI 3.0 document that the reference shows. */
export interface Schema {
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
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema?: Schema;
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

export interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Answer>;
}

export interface ApiDocument {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Answer> };
}

/** An operation with its address. */
export interface Entry {
  id: string;
  method: string;
  path: string;
  operation: ApiOperation;
}

export interface Group {
  name: string;
  description?: string;
  entries: Entry[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations by tag, in the order of the document; only those that contain every word of the search. */
export function groupsOf({ tags, paths }: ApiDocument, search: string): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
  );
  const isFound = ({ id, method, path, operation }: Entry) => {
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

const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** The schema itself, without a reference. */
export const schemaOf = (document: ApiDocument, schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;

export const answerOf = (document: ApiDocument, answer: Answer): Answer =>
  answer.$ref ? (document.components.responses?.[nameOf(answer.$ref)] ?? {}) : answer;

const isNull = ({ enum: values }: Schema) => values?.length === 1 && values[0] === null;

/** The alternatives of a schema, without null. */
const alternativesOf = ({ anyOf, oneOf }: Schema): Schema[] => (anyOf ?? oneOf ?? []).filter((one) => !isNull(one));

const MOST_VALUES = 12;

/** The type of a value in words: `text (date-time)`, `list of Workflow`, `"asc" or "desc"`. */
export function typeText(document: ApiDocument, schema: Schema): string {
  const alternatives = alternativesOf(schema);
  const isNullable = schema.nullable === true || (schema.anyOf ?? []).some(isNull);
  const suffix = isNullable ? ' or null' : '';
  if (schema.$ref) {
    const target = schemaOf(document, schema);
    return (target.enum ? typeText(document, target) : nameOf(schema.$ref)) + suffix;
  }
  if (alternatives.length > 0) return alternatives.map((one) => typeText(document, one)).join(' or ') + suffix;
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null).map((value) => JSON.stringify(value));
    const more = values.length > MOST_VALUES ? ', …' : '';
    return values.slice(0, MOST_VALUES).join(', ') + more + suffix;
  }
  if (schema.type === 'array')
    return `list of ${schema.items ? typeText(document, schema.items) : 'any value'}${suffix}`;
  if (schema.type === 'string') return `text${schema.format ? ` (${schema.format})` : ''}${suffix}`;
  if (schema.type === 'object') return `object${suffix}`;
  return `${schema.type ?? 'any value'}${suffix}`;
}

/** One property of an object, at a depth. */
export interface Row {
  path: string;
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description?: string;
}

const MAX_DEPTH = 4;
const MAX_ROWS = 250;

/** The properties of a schema with those inside them, in order. Schemas that contain themselves are shown once. */
export function rowsOf(document: ApiDocument, schema: Schema): Row[] {
  const rows: Row[] = [];
  const walk = (one: Schema, path: string, depth: number, above: readonly string[]) => {
    if (depth > MAX_DEPTH) return;
    const { $ref } = one;
    if ($ref && above.includes($ref)) return;
    const within = $ref ? [...above, $ref] : above;
    const target = schemaOf(document, one);
    for (const part of [...(target.allOf ?? []), ...alternativesOf(target)]) walk(part, path, depth, within);
    if (target.items) walk(target.items, path, depth, within);
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      if (rows.length >= MAX_ROWS) return;
      const own = `${path}.${name}`;
      // Alternatives share properties.
      if (rows.some((row) => row.path === own)) continue;
      const description = property.description ?? schemaOf(document, property).description;
      const isRequired = target.required?.includes(name) ?? false;
      rows.push({ path: own, name, depth, type: typeText(document, property), isRequired, description });
      walk(property, own, depth + 1, within);
    }
  };
  walk(schema, '', 0, []);
  return rows;
}

/** A value to begin with: the required properties, with examples where there are some. */
export function exampleOf(document: ApiDocument, schema: Schema, above: readonly string[] = []): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref && above.includes(schema.$ref)) return {};
  const within = schema.$ref ? [...above, schema.$ref] : above;
  const target = schemaOf(document, schema);
  if (target !== schema && target.example !== undefined) return target.example;
  if (target.enum) return target.enum[0];
  const [first] = alternativesOf(target);
  if (first) return exampleOf(document, first, within);
  if (target.type === 'array') return [];
  if (target.type === 'string') return '';
  if (target.type === 'boolean') return false;
  if (target.type === 'integer' || target.type === 'number') return target.minimum ?? 0;
  const required = Object.entries(target.properties ?? {}).filter(([name]) => target.required?.includes(name));
  return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(document, property, within)]));
}

/** The address of a call: path parameters encoded, empty query parameters left out. */
export function addressOf(path: string, parameters: Parameter[], values: Record<string, string>): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[`path ${name}`] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === 'query')
      .map((one): [string, string] => [one.name, values[`query ${one.name}`] ?? ''])
      .filter(([, value]) => value !== ''),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}
