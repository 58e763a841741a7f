/** A position in a text as line and column, both from 1. */
export function lineAndColumnAt(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
