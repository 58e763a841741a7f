/** The words of JSON Schema (draft 7) that the pages show. */
interface DocumentedSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: DocumentedSchema[];
  oneOf?: DocumentedSchema[];
  items?: DocumentedSchema;
  properties?: Record<string, DocumentedSchema>;
  required?: string[];
  'x-editor'?: string;
  'x-expression'?: boolean;
  'x-literal'?: boolean;
}

/** One line of a Markdown table. */
export const markdownCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** A Markdown table. Cells are Markdown already. */
export const markdownTable = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const codeValue = (value: unknown) => `\`${markdownCell(typeof value === 'string' ? value : JSON.stringify(value))}\``;

/** Name, type and meaning of each field of an object schema; fields of inner objects follow theirs as `outer.inner`. */
export function schemaFieldRows(schema: object, prefix = '', depth = 0): string[][] {
  const { properties = {}, required = [] } = schema as DocumentedSchema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = depth < 1 && field['x-editor'] !== 'definition' ? schemaFieldRows(field, `${path}.`, depth + 1) : [];
    return [[`\`${path}\``, fieldTypeText(field), fieldMeaningText(field, required.includes(name))], ...inner];
  });
}

function fieldTypeText(field: DocumentedSchema): string {
  if (field['x-editor'] === 'definition') return 'a workflow: `nodes` and `connections`';
  if (field['x-expression']) return 'JSONata, without `{{ }}`';
  const written = schemaTypeText(field);
  return field['x-literal'] ? `${written}, no expressions` : written;
}

function schemaTypeText({
  type,
  enum: choices,
  const: only,
  anyOf,
  oneOf,
  items,
  'x-editor': editor,
}: DocumentedSchema): string {
  if (only !== undefined) return codeValue(only);
  if (choices) return choices.map(codeValue).join(', ');
  const ways = anyOf ?? oneOf;
  if (ways) return [...new Set(ways.map(schemaTypeText))].join(' or ');
  if (type === 'array') return items ? `list of ${schemaTypeText(items)}` : 'list';
  if (editor === 'duration') return 'milliseconds';
  return (
    { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', object: 'object' }[
      String(type)
    ] ?? 'any value'
  );
}

function fieldMeaningText(
  { title, description, default: standard, examples = [] }: DocumentedSchema,
  isRequired: boolean,
): string {
  const sentence = [title, description].filter(Boolean).join(': ');
  return [
    markdownCell(/[.!?]$/.test(sentence) ? sentence : sentence && `${sentence}.`),
    isRequired ? '**Required.**' : '',
    standard === undefined ? '' : `Default ${codeValue(standard)}.`,
    examples.length ? `Example: ${examples.slice(0, 2).map(codeValue).join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
