/** A piece of HTML whose content is escaped already. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

type Part = string | number | boolean | undefined | null | Html | readonly Html[];

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(({ text }: Html) => text).join('');
  return part === undefined || part === null || typeof part === 'boolean' ? '' : escaped(String(part));
}

/** HTML from a template: every inserted text is escaped, in content and in quoted attributes. Booleans insert nothing. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? written(parts[index]) : '')).join(''));

/** An attribute that is present or absent, such as ` required`. */
export const flag = (name: 'required' | 'checked' | 'selected' | 'autofocus', isOn: boolean): Html =>
  new Html(isOn ? ` ${name}` : '');

/** An attribute with a value; absent without one. */
export const attribute = (
  name: 'min' | 'max' | 'minlength' | 'maxlength' | 'aria-describedby' | 'autocomplete' | 'enctype',
  value: string | number | undefined,
): Html => (value === undefined ? new Html('') : new Html(` ${name}="${escaped(String(value))}"`));
