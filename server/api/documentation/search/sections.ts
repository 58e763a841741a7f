import { decodeHTML } from 'entities/decode';

/** The part of a page from one heading to the next. */
export interface HeadingSection {
  /** The anchor of its heading. */
  anchor: string;
  heading: string;
  text: string;
}

const HEADING_PATTERN = /<h[1-6] id="([^"]*)">([\s\S]*?)<\/h[1-6]>/;
const BLOCK_END_PATTERN = /<\/(?:p|li|td|th|tr|pre|blockquote)>|<br\s*\/?>/g;

/** A page of the site as the sections that it shows. What stands before its first heading belongs to no section. */
export function splitPageSections(html: string): HeadingSection[] {
  // The separators of `split` with two groups: text, anchor, heading, text, anchor, heading, text …
  const parts = html.split(new RegExp(HEADING_PATTERN, 'g'));
  const sections: HeadingSection[] = [];
  for (let at = 1; at + 2 < parts.length; at += 3)
    sections.push({
      anchor: parts[at] ?? '',
      heading: sectionText(parts[at + 1] ?? ''),
      text: sectionText(parts[at + 2] ?? ''),
    });
  return sections;
}

const sectionText = (html: string): string =>
  decodeHTML(html.replace(BLOCK_END_PATTERN, ' ').replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
