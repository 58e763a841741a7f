const JSON_INDENT = '  ';

/** A JSON value as indented text, lazily, so that only the shown part is serialised. */
function* generateJsonPieces(value: unknown, most: number, indent = ''): Generator<string> {
  if (typeof value === 'string' && value.length > most) return yield JSON.stringify(value.slice(0, most));
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const names = isList ? value.keys() : Object.keys(value);
  let isFirst = true;
  for (const name of names) {
    const inner = value[name as keyof typeof value] as unknown;
    if (inner === undefined && !isList) continue;
    yield `${isFirst ? open : ','}\n${indent}${JSON_INDENT}${isList ? '' : `${JSON.stringify(name)}: `}`;
    yield* generateJsonPieces(inner, most, indent + JSON_INDENT);
    isFirst = false;
  }
  yield isFirst ? `${open}${close}` : `\n${indent}${close}`;
}

/** The beginning of a value's text, and whether it is truncated. Takes time in the length of the beginning. */
export function truncatedJsonText(value: unknown, most: number): { text: string; isCut: boolean } {
  let text = '';
  for (const piece of generateJsonPieces(value, most)) {
    text += piece;
    if (text.length > most) return { text: text.slice(0, most), isCut: true };
  }
  return { text, isCut: false };
}
