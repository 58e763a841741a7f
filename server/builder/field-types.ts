/** The parts of a JSON Schema of a config that a model is told of. */
interface FieldSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  additionalProperties?: boolean | FieldSchema;
  required?: string[];
  default?: unknown;
  examples?: unknown[];
  'x-expression'?: boolean;
  'x-literal'?: boolean;
  'x-scope'?: string[];
  'x-editor'?: string;
  'x-when'?: Record<string, unknown[]>;
}

const MAX_CHOICES = 20;
const MAX_NOTE = 110;
const MAX_EXAMPLE = 300;

const list = (schema: FieldSchema): [string, FieldSchema][] => Object.entries(schema.properties ?? {});

/** The type of a value in a few characters: `text`, `"GET" | "POST"`, `[{name, value?}]`. */
function typeOf(schema: FieldSchema): string {
  const { type, enum: choices, const: only, anyOf, oneOf, items } = schema;
  if (schema['x-expression']) return 'JSONata';
  if (schema['x-editor'] === 'definition') return '{nodes, connections}';
  if (only !== undefined) return JSON.stringify(only);
  if (choices) {
    const shown = choices.slice(0, MAX_CHOICES).map((choice) => JSON.stringify(choice));
    return [...shown, ...(choices.length > MAX_CHOICES ? ['…'] : [])].join(' | ');
  }
  const kinds = anyOf ?? oneOf;
  if (kinds) return [...new Set(kinds.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ type: one })).join(' | ');
  if (type === 'array') return `[${items ? typeOf(items) : 'any'}]`;
  if (type === 'object') return objectType(schema);
  if (type === 'string') return 'text';
  return type === 'integer' ? 'number' : (type ?? 'any');
}

function objectType(schema: FieldSchema): string {
  const { additionalProperties: others, required = [] } = schema;
  const names = list(schema).map(([name]) => (required.includes(name) ? name : `${name}?`));
  if (names.length > 0) return `{${names.join(', ')}}`;
  return typeof others === 'object' ? `{name: ${typeOf(others)}}` : 'object';
}

/** The type says already that it is JSONata. */
const firstSentence = (text: string): string => {
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/s.exec(text.replace(/^JSONata\. /, '')) ?? [text];
  return sentence.length > MAX_NOTE ? `${sentence.slice(0, MAX_NOTE)}…` : sentence;
};

const exampleOf = ({ examples }: FieldSchema): string | undefined => {
  const text = examples?.[0] === undefined ? undefined : JSON.stringify(examples[0]);
  return text && text.length <= MAX_EXAMPLE ? text : undefined;
};

/** `url* text: …`: a field with `*` is required. */
function head(name: string, schema: FieldSchema, isRequired: boolean): string {
  return `${name}${isRequired ? '*' : ''} ${typeOf(schema)}`;
}

/** One line for each field of a config, with the first sentence of its description. */
export function briefFields(config: object): string[] {
  const schema = config as FieldSchema;
  return list(schema).map(([name, field]) => {
    const note = firstSentence(field.description ?? '');
    return head(name, field, schema.required?.includes(name) ?? false) + (note ? `: ${note}` : '');
  });
}

/** All that is known of the fields of a config, with those inside them. */
export function fullFields(config: object, indent = ''): string[] {
  const schema = config as FieldSchema;
  return list(schema).flatMap(([name, field]) => {
    const inner = list(field).length > 0 ? field : field.items;
    return [
      indent + head(name, field, schema.required?.includes(name) ?? false) + notesOf(field),
      ...(inner && list(inner).length > 0 ? fullFields(inner, `${indent}  `) : []),
    ];
  });
}

function notesOf(field: FieldSchema): string {
  const { title, description, default: standard } = field;
  const when = Object.entries(field['x-when'] ?? {}).map(
    ([other, values]) => `only if ${other} is ${values.join(' or ')}`,
  );
  const example = exampleOf(field);
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
