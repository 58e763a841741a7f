/** The words of JSON Schema (draft 7) that the pages show. */
interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  'x-editor'?: string;
  'x-expression'?: boolean;
  'x-literal'?: boolean;
}

/** One line of a Markdown table. */
export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** A Markdown table. Cells are Markdown already. */
export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const code = (value: unknown) => `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``;

/** Name, type and meaning of each field of an object schema; fields of inner objects follow theirs as `outer.inner`. */
export function fieldRows(schema: object, prefix = '', depth = 0): string[][] {
  const { properties = {}, required = [] } = schema as Schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = depth < 1 && field['x-editor'] !== 'definition' ? fieldRows(field, `${path}.`, depth + 1) : [];
    return [[`\`${path}\``, typeOf(field), meaning(field, required.includes(name))], ...inner];
  });
}

function typeOf(field: Schema): string {
  if (field['x-editor'] === 'definition') return 'a workflow: `nodes` and `connections`';
  if (field['x-expression']) return 'JSONata, without `{{ }}`';
  const written = kindOf(field);
  return field['x-literal'] ? `${written}, no expressions` : written;
}

function kindOf({ type, enum: choices, const: only, anyOf, oneOf, items, 'x-editor': editor }: Schema): string {
  if (only !== undefined) return code(only);
  if (choices) return choices.map(code).join(', ');
  const ways = anyOf ?? oneOf;
  if (ways) return [...new Set(ways.map(kindOf))].join(' or ');
  if (type === 'array') return items ? `list of ${kindOf(items)}` : 'list';
  if (editor === 'duration') return 'milliseconds';
  return (
    { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object' }[
      String(type)
    ] ?? 'any value'
  );
}

function meaning({ title, description, default: standard, examples = [] }: Schema, isRequired: boolean): string {
  const sentence = [title, description].filter(Boolean).join(': ');
  return [
    cell(/[.!?]$/.test(sentence) ? sentence : sentence && `${sentence}.`),
    isRequired ? '**Required.**' : '',
    standard === undefined ? '' : `Default ${code(standard)}.`,
    examples.length ? `Example: ${examples.slice(0, 2).map(code).join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
