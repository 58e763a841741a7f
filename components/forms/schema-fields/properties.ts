type Schema = Record<string, unknown>;

export type PropertyType = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'texts';

/** A property of an object schema, as it is edited. */
export interface Property {
  name: string;
  type: PropertyType;
  description: string;
  isRequired: boolean;
  /** Of a choice. */
  choices: string[];
}

export const NEW_PROPERTY: Property = { name: '', type: 'text', description: '', isRequired: true, choices: [] };

export const PROPERTY_TYPES: { value: PropertyType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'choice', label: 'One of' },
  { value: 'texts', label: 'List of texts' },
];

const TYPES: Record<PropertyType, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  choice: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
};

const isBag = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The properties of an object schema; null: it says more than rows can show. */
export function propertiesOf(schema: unknown): Property[] | null {
  if (schema === undefined) return [];
  if (!isBag(schema)) return null;
  const { type, properties = {}, required = [], additionalProperties, ...rest } = schema;
  const isPlain =
    type === 'object' &&
    isBag(properties) &&
    Array.isArray(required) &&
    (additionalProperties === undefined || additionalProperties === false) &&
    Object.keys(rest).length === 0;
  if (!isPlain) return null;
  const rows = Object.entries(properties).map(([name, property]) =>
    propertyOf(name, property, required.includes(name)),
  );
  return rows.includes(null) ? null : rows.flatMap((row) => row ?? []);
}

function propertyOf(name: string, schema: unknown, isRequired: boolean): Property | null {
  if (!isBag(schema)) return null;
  const { description = '', enum: choices, ...rest } = schema;
  if (typeof description !== 'string') return null;
  const property = { name, description, isRequired, choices: [] };
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string')) {
    const { type = 'string', ...others } = rest;
    return type === 'string' && Object.keys(others).length === 0 ? { ...property, type: 'choice', choices } : null;
  }
  if (choices !== undefined) return null;
  const found = PROPERTY_TYPES.find(
    ({ value }) => value !== 'choice' && JSON.stringify(TYPES[value]) === JSON.stringify(rest),
  );
  return found ? { ...property, type: found.value } : null;
}

/** The schema of these properties; undefined: there are none. A property without a name is not part of it. */
export function schemaOf(properties: readonly Property[]): Schema | undefined {
  const named = properties.filter(({ name }) => name !== '');
  if (named.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, type, description, choices }) => [
        name,
        {
          ...TYPES[type],
          ...(type === 'choice' ? { enum: choices } : {}),
          ...(description === '' ? {} : { description }),
        },
      ]),
    ),
    required: named.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}
