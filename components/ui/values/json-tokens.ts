export type TokenKind = 'name' | 'string' | 'number' | 'literal';

/** A part of JSON with its kind; without one: punctuation and spaces. */
export interface Token {
  text: string;
  kind?: TokenKind;
}

const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** Takes apart JSON text, which may be cut at its end. */
export function tokensOf(json: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of json.matchAll(TOKEN)) {
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
