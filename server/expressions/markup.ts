const TAG = /<(?:!doctype|\/?[a-z][a-z0-9]*)[\s/>]/i;

/** Whether the author's own text, expressions aside, is HTML. */
export const isMarkup = (text: string): boolean => TAG.test(text.replace(/\{\{.*?\}\}/gs, ''));

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML elements and quoted attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
