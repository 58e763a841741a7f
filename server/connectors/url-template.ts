/**
 * Replaces `{name}` by its value, percent-encoded except for addresses. In single quotes a value is an OData text, whose quotes are
 * doubled. A slot without a value stays.
 */
export function fill(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/('?)\{(\w+)\}('?)/g, (whole, before: string, name: string, after: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (isBase(name)) return `${before}${value}${after}`;
    const isQuoted = before !== '' && after !== '';
    return `${before}${encode(isQuoted ? value.replaceAll("'", "''") : value)}${after}`;
  });
}

/** Values with these names are whole, validated addresses. */
const isBase = (name: string) => name === 'instance_url' || name === 'token_origin';

/** Also encodes characters that encodeURIComponent keeps but that have a meaning in paths. */
const encode = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Names of the slots without a value. */
export const slotsOf = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** The value at a dotted path; undefined if the path does not exist. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  // A key may contain dots, as `@odata.nextLink` does.
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  const [first = '', ...rest] = path.split('.');
  return rest.length > 0 && Object.hasOwn(value, first)
    ? at((value as Record<string, unknown>)[first], rest.join('.'))
    : undefined;
}
