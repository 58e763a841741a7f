/**
 * Replaces `{name}` by its value, percent-encoded except for addresses. In single quotes a value is an OData text,
 * whose quotes are doubled. A slot without a value stays.
 */
export function fillUrlTemplate(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/('?)\{(\w+)\}('?)/g, (whole, before: string, name: string, after: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (isWholeAddress(name)) return `${before}${value}${after}`;
    const isQuoted = before !== '' && after !== '';
    return `${before}${encodeSlotValue(isQuoted ? value.replaceAll("'", "''") : value)}${after}`;
  });
}

/** Values with these names are whole, validated addresses. */
const isWholeAddress = (name: string) => name === 'instance_url' || name === 'token_origin';

/** Also encodes characters that encodeURIComponent keeps but that have a meaning in paths. */
const encodeSlotValue = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Names of the slots without a value. */
export const templateSlots = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
