const HTML_TAG = /<(?:!doctype|\/?[a-z][a-z0-9]*)[\s/>]/i;

/** Whether the author's own text, expressions aside, is HTML. */
export const containsHtmlTag = (text: string): boolean => HTML_TAG.test(text.replace(/\{\{.*?\}\}/gs, ''));

const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML elements and quoted attributes. */
export const escapeHtmlMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => HTML_ESCAPES[sign] ?? sign);
