/** How the definition and the triggers of a template name a value that the user fills in: `[[sheet]]`. */
const TEMPLATE_PLACEHOLDER = /\[\[([A-Za-z][A-Za-z0-9]*)\]\]/g;

/** The value that a text stands for as a whole. Undefined: it has other text, too, or is no text. */
export function wholePlaceholderId(value: unknown): string | undefined {
  const [match] = typeof value === 'string' ? value.matchAll(TEMPLATE_PLACEHOLDER) : [];
  return match?.[0] === value ? match?.[1] : undefined;
}

/** The values that a text names. */
export const listPlaceholderIds = (text: string): string[] =>
  [...text.matchAll(TEMPLATE_PLACEHOLDER)].flatMap(([, id]) => id ?? []);

/** Replaces each placeholder of a text by what `fill` gives for its value. */
export const replacePlaceholders = (text: string, fill: (placeholder: string, id: string) => string): string =>
  text.replace(TEMPLATE_PLACEHOLDER, fill);
