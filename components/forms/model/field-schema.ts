import { wordsFromIdentifier } from './identifier-words';

/** Where the choices or the columns of a field come from, and the fields beside it on which they depend. */
export interface ChoiceSource {
  source: string;
  dependsOn: readonly string[];
  /** Further fields that the list takes into account. They may be empty. */
  uses?: readonly string[];
  /** The server of the node's credential is asked. */
  needsCredential?: true;
}

/** The part of JSON Schema (draft 7) that node configs are described in. */
export interface FieldSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: (string | number)[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  additionalProperties?: boolean | FieldSchema;
  items?: FieldSchema;
  anyOf?: FieldSchema[];
  /** The control that the node type asks for. */
  'x-editor'?: string;
  /** The field that can be filled in instead. One control shows both. */
  'x-alternative'?: string;
  /** True: the value is literal, so `{{ }}` has no meaning. */
  'x-literal'?: boolean;
  /** The field of the form with the list whose items have the fields that are picked here. */
  'x-list'?: string;
  /** Of two lists that arrive, the one that the field takes: 0 or 1. */
  'x-list-position'?: number;
  /** Of the fields that people fill in, some may be files. */
  'x-takes-files'?: boolean;
  /** The names that its expression may use instead of the usual ones. */
  'x-scope'?: string[];
  /** The field matters only for these values of a field beside it. Null: it has none. */
  'x-when'?: Record<string, unknown[]>;
  /** How the values of `enum` are shown; absent: as they are. */
  'x-labels'?: Record<string, string>;
  /**
   * What the field may hold is listed by a source. `search`: the source finds choices by their labels. `isProposed`: the
   * document of the API does not say so, its paths do. `isFirstUsual`: the first choice is what most people mean.
   */
  'x-choices'?: ChoiceSource & { search: boolean; isProposed?: true; isFirstUsual?: true };
  /**
   * The object has a value for each column that a source lists. `isWholeWhen`: values of other fields with which
   * required columns are needed. `isPartial`: they never are.
   */
  'x-columns'?: ChoiceSource & { isWholeWhen?: Record<string, unknown[]>; isPartial?: true };
  /** The choices that another field of the same object permits, by its value. */
  'x-choices-by'?: { field: string; choices: Record<string, string[]> };
  /** The fields of this object that have a meaning, by the values of other fields, joined by spaces. */
  'x-shown-by'?: { fields: string[]; shown: Record<string, string[]> };
}

/**
 * The schema of a field beside the values of the others: with the choices and the fields that they permit. What has a
 * value already stays, so that it can be changed.
 */
function schemaWithSiblings(schema: FieldSchema, value: unknown, siblings: Record<string, unknown>): FieldSchema {
  const { 'x-choices-by': choicesBy, 'x-shown-by': shownBy } = schema;
  if (choicesBy) {
    const choices = choicesBy.choices[String(siblings[choicesBy.field])];
    return choices
      ? { ...schema, enum: schema.enum?.filter((one) => one === value || choices.includes(String(one))) }
      : schema;
  }
  if (!shownBy) return schema;
  const shown = shownBy.shown[shownBy.fields.map((field) => String(siblings[field])).join(' ')] ?? [];
  const used = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => [...shown, ...used].includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/**
 * Whether a field has a meaning beside the values of the others. One with a value is always shown: it has an effect.
 * One that can have a single value never is: there is nothing to choose.
 */
function isFieldVisible(schema: FieldSchema, value: unknown, siblings: Record<string, unknown>): boolean {
  const { 'x-when': when, 'x-shown-by': shownBy, properties = {} } = schema;
  if (schema.const !== undefined || (shownBy && Object.keys(properties).length === 0)) return false;
  return (
    value !== undefined ||
    !when ||
    Object.entries(when).every(([other, values]) => values.includes(siblings[other] ?? null))
  );
}

/** The fields of an object that have a meaning for its values, each with the choices that the others permit. */
export const visibleFields = ({ properties = {} }: FieldSchema, values: Record<string, unknown>) =>
  Object.entries(properties)
    .map(([name, field]) => [name, schemaWithSiblings(field, values[name], values)] as const)
    .filter(([name, field]) => isFieldVisible(field, values[name], values));

export type FieldControlKind =
  | 'choice'
  | 'switch'
  | 'number'
  | 'duration'
  | 'line'
  | 'text'
  | 'expression'
  | 'condition'
  | 'picked'
  | 'list-source'
  | 'item-field'
  | 'item-fields'
  | 'measures'
  | 'filter-rules'
  | 'table-filter'
  | 'assignments'
  | 'typed'
  | 'case'
  | 'code'
  | 'reference'
  | 'addresses'
  | 'map'
  | 'list'
  | 'group'
  | 'optional-group'
  | 'form-fields'
  | 'suggested'
  | 'object-schema'
  | 'listed-choice'
  | 'columns'
  | 'column-rows'
  | 'sort-columns'
  | 'yes-no'
  | 'option-list'
  | 'date'
  | 'time'
  | 'json';

/** Controls by `x-editor`. */
const CONTROL_KINDS_BY_EDITOR: Record<string, FieldControlKind> = {
  expression: 'picked',
  list: 'list-source',
  'item-field': 'item-field',
  'item-fields': 'item-fields',
  measures: 'measures',
  rows: 'list',
  condition: 'condition',
  'item-expression': 'expression',
  'filter-rules': 'filter-rules',
  'table-filter': 'table-filter',
  assignments: 'assignments',
  typed: 'typed',
  case: 'case',
  line: 'line',
  multiline: 'text',
  javascript: 'code',
  sql: 'code',
  shell: 'code',
  workflow: 'reference',
  'start-node': 'reference',
  table: 'reference',
  connector: 'reference',
  'connector-operation': 'reference',
  'connector-parameters': 'json',
  json: 'json',
  model: 'suggested',
  suggested: 'suggested',
  'json-schema': 'object-schema',
  pairs: 'map',
  fields: 'map',
  duration: 'duration',
  'email-list': 'addresses',
  'form-fields': 'form-fields',
  'optional-group': 'optional-group',
  'sort-columns': 'sort-columns',
  'yes-no': 'yes-no',
  'option-list': 'option-list',
  date: 'date',
  time: 'time',
};

/** The control for a schema. The fallback is JSON. */
export function fieldControlKind(schema: FieldSchema): FieldControlKind {
  const isList = schema.type === 'array';
  if (schema['x-columns']) return isList ? 'column-rows' : 'columns';
  if (schema['x-choices'] && schema['x-editor'] !== 'sort-columns' && !isList) return 'listed-choice';
  const wanted = CONTROL_KINDS_BY_EDITOR[schema['x-editor'] ?? ''];
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
      return schema.items && ['line', 'number', 'choice', 'group'].includes(fieldControlKind(schema.items))
        ? 'list'
        : 'json';
    case 'object':
      if (schema.properties) return 'group';
      return isTextMapSchema(schema) ? 'map' : 'json';
    default:
      return 'json';
  }
}

const isTextMapSchema = ({ additionalProperties }: FieldSchema) =>
  typeof additionalProperties === 'object' && additionalProperties.type === 'string';

/** How a value of an enum is shown: by its reviewed label, or else as words. */
export const enumOptionLabel = (option: unknown, schema: FieldSchema): string =>
  schema['x-labels']?.[String(option)] ?? wordsFromIdentifier(String(option));

/** The label of a field: its title, or else its name as words. */
export const schemaLabel = (name: string, schema: FieldSchema): string => {
  if (schema.title) return schema.title;
  return wordsFromIdentifier(name);
};

/** An example value of a schema, from its examples, defaults and first options. */
export function schemaExample(schema: FieldSchema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, schemaExample(field)]),
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
export const hasExpressionBraces = (value: unknown): value is string =>
  typeof value === 'string' && value.includes('{{');

/** The value of a number field: a number if it is one, otherwise the text. */
export function parseNumberOrText(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : typed;
}
