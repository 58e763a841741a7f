/** The part of JSON Schema (draft 7) that node configs are described in. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: (string | number)[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  /** The control that the node type asks for. */
  'x-editor'?: string;
  /** True: the value is literal, so `{{ }}` has no meaning. */
  'x-literal'?: boolean;
}

export type FieldKind =
  | 'choice'
  | 'switch'
  | 'number'
  | 'duration'
  | 'line'
  | 'text'
  | 'expression'
  | 'code'
  | 'reference'
  | 'addresses'
  | 'map'
  | 'list'
  | 'group'
  | 'form-fields'
  | 'json';

/** Controls by `x-editor`. */
const EDITORS: Record<string, FieldKind> = {
  expression: 'expression',
  multiline: 'text',
  javascript: 'code',
  workflow: 'reference',
  table: 'reference',
  connector: 'reference',
  'connector-operation': 'reference',
  'connector-parameters': 'json',
  json: 'json',
  pairs: 'map',
  fields: 'map',
  duration: 'duration',
  'email-list': 'addresses',
  'form-fields': 'form-fields',
};

/** The control for a schema. The fallback is JSON. */
export function kindOf(schema: Schema): FieldKind {
  const wanted = EDITORS[schema['x-editor'] ?? ''];
  if (wanted) return wanted;
  if (schema.enum) return 'choice';
  switch (schema.type) {
    case 'boolean':
      return 'switch';
    case 'number':
    case 'integer':
      return 'number';
    case 'string':
      return 'line';
    case 'array':
      return schema.items && ['line', 'number', 'choice', 'group'].includes(kindOf(schema.items)) ? 'list' : 'json';
    case 'object':
      if (schema.properties) return 'group';
      return isTextMap(schema) ? 'map' : 'json';
    default:
      return 'json';
  }
}

const isTextMap = ({ additionalProperties }: Schema) =>
  typeof additionalProperties === 'object' && additionalProperties.type === 'string';

/** `backoffMs` → `Backoff ms`: for fields without a title. */
export const labelOf = (name: string, schema: Schema): string => {
  if (schema.title) return schema.title;
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** An example value of a schema, from its examples, defaults and first options. */
export function exampleOf(schema: Schema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
      );
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return null;
  }
}

/** Whether a text contains an expression, which may replace a value of any type. */
export const isExpression = (value: unknown): value is string => typeof value === 'string' && value.includes('{{');

/** The value of a number field: a number if it is one, otherwise the text. */
export function numberOrText(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : typed;
}
