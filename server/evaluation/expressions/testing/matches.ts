import type { LinearRegExp } from '../linear-regexp';

/** All matches with their positions and groups, in the format of `exec`. */
export function matches(pattern: RegExp | LinearRegExp, text: string): unknown[] {
  const found: unknown[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ at: match.index, all: [...match], groups: match.groups && { ...match.groups } });
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
}
