export type JsonTokenKind = 'name' | 'string' | 'number' | 'literal';

/** A part of JSON with its kind; without one: punctuation and spaces. */
export interface JsonToken {
  text: string;
  kind?: JsonTokenKind;
}

const JSON_TOKEN_PATTERN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** Takes apart JSON text, which may be cut at its end. */
export function tokenizeJson(json: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const match of json.matchAll(JSON_TOKEN_PATTERN)) {
    const [, string, colon, number, literal] = match;
    const text = string ?? number ?? literal ?? '';
    if (match.index > at) tokens.push({ text: json.slice(at, match.index) });
    const kind = string === undefined ? (number === undefined ? 'literal' : 'number') : colon ? 'name' : 'string';
    tokens.push({ text, kind });
    at = match.index + text.length;
  }
  if (at < json.length) tokens.push({ text: json.slice(at) });
  return tokens;
}
