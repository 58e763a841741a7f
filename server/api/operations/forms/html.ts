/** A piece of HTML whose content is escaped already. */
export class HtmlFragment {
  constructor(readonly text: string) {}
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtmlText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);

type HtmlTemplateValue = string | number | boolean | undefined | null | HtmlFragment | readonly HtmlFragment[];

function renderTemplateValue(part: HtmlTemplateValue): string {
  if (part instanceof HtmlFragment) return part.text;
  if (Array.isArray(part)) return part.map(({ text }: HtmlFragment) => text).join('');
  return part === undefined || part === null || typeof part === 'boolean' ? '' : escapeHtmlText(String(part));
}

/**
 * Makes HTML from a template. It escapes every inserted text, in content and in quoted attributes. Booleans insert
 * nothing.
 */
export const html = (texts: TemplateStringsArray, ...parts: HtmlTemplateValue[]): HtmlFragment =>
  new HtmlFragment(
    texts.map((text, index) => text + (index < parts.length ? renderTemplateValue(parts[index]) : '')).join(''),
  );

/** An attribute that is present or absent, such as ` required`. */
export const booleanAttribute = (
  name: 'required' | 'checked' | 'selected' | 'autofocus',
  isOn: boolean,
): HtmlFragment => new HtmlFragment(isOn ? ` ${name}` : '');

/** An attribute with a value; absent without one. */
export const valueAttribute = (
  name: 'min' | 'max' | 'minlength' | 'maxlength' | 'aria-describedby' | 'autocomplete' | 'enctype',
  value: string | number | undefined,
): HtmlFragment =>
  value === undefined ? new HtmlFragment('') : new HtmlFragment(` ${name}="${escapeHtmlText(String(value))}"`);
