type ObjectSchemaJson = Record<string, unknown>;

export type SchemaPropertyType = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'texts';

/** A property of an object schema, as it is edited. */
export interface SchemaProperty {
  name: string;
  type: SchemaPropertyType;
  description: string;
  isRequired: boolean;
  /** The values of a choice. */
  choices: string[];
}

export const NEW_SCHEMA_PROPERTY: SchemaProperty = {
  name: '',
  type: 'text',
  description: '',
  isRequired: true,
  choices: [],
};

export const PROPERTY_TYPE_OPTIONS: { value: SchemaPropertyType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'choice', label: 'One of' },
  { value: 'texts', label: 'List of texts' },
];

const SCHEMAS_BY_TYPE: Record<SchemaPropertyType, ObjectSchemaJson> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  choice: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
};

const isSchemaRecord = (value: unknown): value is ObjectSchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The properties of an object schema; null: it says more than rows can show. */
export function parseSchemaProperties(schema: unknown): SchemaProperty[] | null {
  if (schema === undefined) return [];
  if (!isSchemaRecord(schema)) return null;
  const { type, properties = {}, required = [], additionalProperties, ...rest } = schema;
  const isPlain =
    type === 'object' &&
    isSchemaRecord(properties) &&
    Array.isArray(required) &&
    (additionalProperties === undefined || additionalProperties === false) &&
    Object.keys(rest).length === 0;
  if (!isPlain) return null;
  const rows = Object.entries(properties).map(([name, property]) =>
    parseSchemaProperty(name, property, required.includes(name)),
  );
  return rows.includes(null) ? null : rows.flatMap((row) => row ?? []);
}

function parseSchemaProperty(name: string, schema: unknown, isRequired: boolean): SchemaProperty | null {
  if (!isSchemaRecord(schema)) return null;
  const { description = '', enum: choices, ...rest } = schema;
  if (typeof description !== 'string') return null;
  const property = { name, description, isRequired, choices: [] };
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) {
    const { type = 'string', ...others } = rest;
    return type === 'string' && Object.keys(others).length === 0 ? { ...property, type: 'choice', choices } : null;
  }
  if (choices !== undefined) return null;
  const found = PROPERTY_TYPE_OPTIONS.find(
    ({ value }) => value !== 'choice' && JSON.stringify(SCHEMAS_BY_TYPE[value]) === JSON.stringify(rest),
  );
  return found ? { ...property, type: found.value } : null;
}

/** The schema of these properties; undefined: there are none. A property without a name is not part of it. */
export function buildObjectSchema(properties: readonly SchemaProperty[]): ObjectSchemaJson | undefined {
  const named = properties.filter(({ name }) => name !== '');
  if (named.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, type, description, choices }) => [
        name,
        {
          ...SCHEMAS_BY_TYPE[type],
          ...(type === 'choice' ? { enum: choices } : {}),
          ...(description === '' ? {} : { description }),
        },
      ]),
    ),
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}
