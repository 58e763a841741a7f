/** A piece of an expression of JMESPath. */
export interface PathToken {
  kind: 'name' | 'literal' | 'number' | 'sign' | 'end';
  text: string;
  /** The value of a literal. */
  value?: unknown;
}

const SIGNS = [
  '[?',
  '[]',
  '||',
  '&&',
  '==',
  '!=',
  '<=',
  '>=',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  '*',
  ',',
  ':',
  '@',
  '&',
  '|',
  '!',
  '<',
  '>',
];
const PIECE = /\s+|([A-Za-z_]\w*)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(-?\d+)/y;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A literal that is no JSON is a text.
    return text;
  }
}

/** The pieces of an expression. Throws Error. */
export function readTokens(text: string): PathToken[] {
  const tokens: PathToken[] = [];
  for (let at = 0; at < text.length;) {
    PIECE.lastIndex = at;
    const found = PIECE.exec(text);
    if (found) {
      const [whole, name, quoted, raw, json, number] = found;
      at += whole.length;
      if (name !== undefined) tokens.push({ kind: 'name', text: name });
      else if (quoted !== undefined) tokens.push({ kind: 'name', text: String(JSON.parse(`"${quoted}"`)) });
      else if (raw !== undefined) tokens.push({ kind: 'literal', text: '', value: raw.replaceAll("\\'", "'") });
      else if (json !== undefined)
        tokens.push({ kind: 'literal', text: '', value: readJson(json.replaceAll('\\`', '`').trim()) });
      else if (number !== undefined) tokens.push({ kind: 'number', text: number });
      continue;
    }
    const sign = SIGNS.find((one) => text.startsWith(one, at));
    if (sign === undefined) throw new Error(`Unexpected character “${text.charAt(at)}” in a JMESPath expression`);
    tokens.push({ kind: 'sign', text: sign });
    at += sign.length;
  }
  return [...tokens, { kind: 'end', text: '' }];
}
