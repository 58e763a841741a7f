/** The parts of a config's JSON Schema that are described to a model. */
interface DescribedFieldSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: DescribedFieldSchema[];
  oneOf?: DescribedFieldSchema[];
  items?: DescribedFieldSchema;
  properties?: Record<string, DescribedFieldSchema>;
  additionalProperties?: boolean | DescribedFieldSchema;
  required?: string[];
  default?: unknown;
  examples?: unknown[];
  'x-expression'?: boolean;
  'x-literal'?: boolean;
  'x-scope'?: string[];
  'x-editor'?: string;
  'x-when'?: Record<string, unknown[]>;
}

const MAX_VISIBLE_CHOICES = 20;
const MAX_FIELD_NOTE = 110;
const MAX_FIELD_EXAMPLE = 300;

const listFields = (schema: DescribedFieldSchema): [string, DescribedFieldSchema][] =>
  Object.entries(schema.properties ?? {});

/** The type of a value in a few characters: `text`, `"GET" | "POST"`, `[{name, value?}]`. */
function formatFieldType(schema: DescribedFieldSchema): string {
  const { type, enum: choices, const: only, anyOf, oneOf, items } = schema;
  if (schema['x-expression']) return 'JSONata';
  if (schema['x-editor'] === 'definition') return '{nodes, connections}';
  if (only !== undefined) return JSON.stringify(only);
  if (choices) {
    const shown = choices.slice(0, MAX_VISIBLE_CHOICES).map((choice) => JSON.stringify(choice));
    return [...shown, ...(choices.length > MAX_VISIBLE_CHOICES ? ['…'] : [])].join(' | ');
  }
  const kinds = anyOf ?? oneOf;
  if (kinds) return [...new Set(kinds.map(formatFieldType))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => formatFieldType({ type: one })).join(' | ');
  if (type === 'array') return `[${items ? formatFieldType(items) : 'any'}]`;
  if (type === 'object') return formatObjectType(schema);
  if (type === 'string') return 'text';
  return type === 'integer' ? 'number' : (type ?? 'any');
}

function formatObjectType(schema: DescribedFieldSchema): string {
  const { additionalProperties: others, required = [] } = schema;
  const names = listFields(schema).map(([name]) => (required.includes(name) ? name : `${name}?`));
  if (names.length > 0) return `{${names.join(', ')}}`;
  return typeof others === 'object' ? `{name: ${formatFieldType(others)}}` : 'object';
}

/** The first sentence of a description, without `JSONata.`, which the type says already. */
const firstSentence = (text: string): string => {
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/s.exec(text.replace(/^JSONata\. /, '')) ?? [text];
  return sentence.length > MAX_FIELD_NOTE ? `${sentence.slice(0, MAX_FIELD_NOTE)}…` : sentence;
};

const shortFieldExample = ({ examples }: DescribedFieldSchema): string | undefined => {
  const text = examples?.[0] === undefined ? undefined : JSON.stringify(examples[0]);
  return text && text.length <= MAX_FIELD_EXAMPLE ? text : undefined;
};

/** Formats the name and type of a field as in `url* text`; `*` marks a required field. */
function formatFieldHead(name: string, schema: DescribedFieldSchema, isRequired: boolean): string {
  return `${name}${isRequired ? '*' : ''} ${formatFieldType(schema)}`;
}

/** One line for each field of a config, with the first sentence of its description. */
export function formatBriefFields(config: object): string[] {
  const schema = config as DescribedFieldSchema;
  return listFields(schema).map(([name, field]) => {
    const note = firstSentence(field.description ?? '');
    return formatFieldHead(name, field, schema.required?.includes(name) ?? false) + (note ? `: ${note}` : '');
  });
}

/** Describes every field of a config with all its notes, including the fields inside of fields. */
export function formatFullFields(config: object, indent = ''): string[] {
  const schema = config as DescribedFieldSchema;
  return listFields(schema).flatMap(([name, field]) => {
    const inner = listFields(field).length > 0 ? field : field.items;
    return [
      indent + formatFieldHead(name, field, schema.required?.includes(name) ?? false) + formatFieldNotes(field),
      ...(inner && listFields(inner).length > 0 ? formatFullFields(inner, `${indent}  `) : []),
    ];
  });
}

function formatFieldNotes(field: DescribedFieldSchema): string {
  const { title, description, default: standard } = field;
  const when = Object.entries(field['x-when'] ?? {}).map(
    ([other, values]) => `only if ${other} is ${values.join(' or ')}`,
  );
  const example = shortFieldExample(field);
  const notes = [
    description ?? title,
    ...when,
    ...(standard === undefined ? [] : [`default ${JSON.stringify(standard)}`]),
    ...(field['x-scope'] ? [`its names: ${field['x-scope'].join(', ')}`] : []),
    ...(field['x-literal'] && !field['x-expression'] ? ['no expressions'] : []),
    ...(example ? [`e.g. ${example}`] : []),
  ].filter((note) => note !== undefined && note !== '');
  return notes.length > 0 ? `: ${notes.join('; ')}` : '';
}
