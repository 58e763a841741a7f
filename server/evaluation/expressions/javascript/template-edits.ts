import type { JavaScriptTree } from './syntax-tree';

/** A part of a text that another one replaces. */
export interface SourceEdit {
  at: number;
  until: number;
  text: string;
}

const TAB_WIDTH = 4;

/** The place behind white space at the beginning of a line, with stops for tabs. */
function measureIndentation(space: string): number {
  let width = 0;
  for (const sign of space) width = sign === '\t' ? (Math.floor(width / TAB_WIDTH) + 1) * TAB_WIDTH : width + 1;
  return width;
}

/**
 * What n8n does to templates with several lines when it writes an expression anew: tabs at the beginning of a line
 * become spaces, and a value gets a space before it if text with a line end stands there and ends with a letter, a digit
 * or the end of a line.
 */
export function listTemplateEdits(template: JavaScriptTree, source: string): SourceEdit[] {
  const edits: SourceEdit[] = [];
  for (const quasi of template['quasis'] as JavaScriptTree[]) {
    const raw = source.slice(quasi.start, quasi.end);
    for (const { index, 0: found } of raw.matchAll(/(?<=\n)[ \t]*\t[ \t]*/g)) {
      const at = quasi.start + index;
      edits.push({ at, until: at + found.length, text: ' '.repeat(measureIndentation(found)) });
    }
    const { cooked } = quasi['value'] as { cooked?: string | null };
    const isBeforeValue = quasi['tail'] !== true;
    if (isBeforeValue && cooked?.includes('\n') && /[\w$\n]$/.test(raw))
      edits.push({ at: quasi.end, until: quasi.end, text: ' ' });
  }
  return edits;
}
