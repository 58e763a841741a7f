import { decodeHTML } from 'entities/decode';

/** The part of a page from one heading to the next. */
export interface Section {
  /** The anchor of its heading. */
  anchor: string;
  heading: string;
  text: string;
}

const HEADING = /<h[1-6] id="([^"]*)">([\s\S]*?)<\/h[1-6]>/;
const BLOCK_END = /<\/(?:p|li|td|th|tr|pre|blockquote)>|<br\s*\/?>/g;

/** A page of the site as the sections that it shows. What stands before its first heading belongs to no section. */
export function splitSections(html: string): Section[] {
  // The separators of `split` with two groups: text, anchor, heading, text, anchor, heading, text …
  const parts = html.split(new RegExp(HEADING, 'g'));
  const sections: Section[] = [];
  for (let at = 1; at + 2 < parts.length; at += 3)
    sections.push({ anchor: parts[at] ?? '', heading: toText(parts[at + 1] ?? ''), text: toText(parts[at + 2] ?? '') });
  return sections;
}

const toText = (html: string): string =>
  decodeHTML(html.replace(BLOCK_END, ' ').replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
