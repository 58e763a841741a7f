import { parseExactJson } from '@/contract/exact-json';
import { cut } from './file';
import { asText, part, quoted, type Code } from './javascript/code';
import { codeOf, jsonata } from './javascript/jsonata';
import { parse } from './javascript/parse';
import type { Scope } from './javascript/scope';
import { Unsupported } from './javascript/syntax';

/** Expressions of one node: what they become, and which have no counterpart. */
export interface Expressions {
  scope: Scope;
  /** Counts characters that are parsed; false: so many were parsed that the rest stays as it is. */
  spend(characters: number): boolean;
  /** Is told of each expression without a counterpart. */
  lose(source: string, reason: string): void;
}

type Piece = { text: string } | { source: string };

/** Whether n8n evaluates a text. */
export const isExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/** The plain texts and the expressions of a text that n8n evaluates. */
function piecesOf(value: string, expressions: Expressions): Piece[] {
  const pieces: Piece[] = [];
  let at = 1;
  for (let open = value.indexOf('{{', at); open !== -1; open = value.indexOf('{{', at)) {
    const end = endOf(value, open + 2, expressions);
    if (end === -1) break;
    if (open > at) pieces.push({ text: value.slice(at, open) });
    pieces.push({ source: value.slice(open + 2, end).trim() });
    at = end + 2;
  }
  if (at < value.length) pieces.push({ text: value.slice(at) });
  return pieces;
}

/** What an attempt costs besides its characters. */
const COST = 50;
/** Ends of one expression that are tried: braces of objects inside may look like one. */
const MAX_ENDS = 20;

function endOf(value: string, from: number, { spend }: Expressions): number {
  const first = value.indexOf('}}', from);
  let end = first;
  for (let tries = 0; end !== -1 && tries < MAX_ENDS; tries += 1, end = value.indexOf('}}', end + 1)) {
    if (!spend(end - from + COST)) return first;
    try {
      parse(value.slice(from, end));
      return end;
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
    }
  }
  return first;
}

/** The code of an expression; undefined: it has no counterpart. */
function attempt(source: string, { scope, lose, spend }: Expressions): Code | undefined {
  if (!spend(source.length + COST)) {
    lose(source, 'so much text');
    return undefined;
  }
  try {
    return jsonata(source, scope);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    lose(source, error.message);
    return undefined;
  }
}

/** A text that Weft takes as it is: `{{` would begin an expression. */
export const plain = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

const braced = ({ code }: Code): string => `{{ ${code} }}`;
/** What stands for an expression without a counterpart. */
const lostText = (source: string): string => plain(`(n8n: ${cut(source, 200)})`);

/** A text of n8n as Weft writes it: with expressions in braces. One that is a single expression keeps the type of its value. */
export function template(value: string, expressions: Expressions): string {
  if (!isExpression(value)) return plain(value);
  const parts = piecesOf(value, expressions).map((piece) => {
    if ('text' in piece) return plain(piece.text);
    const code = attempt(piece.source, expressions);
    return code ? braced(code) : lostText(piece.source);
  });
  // A brace before an expression would be taken for a part of its beginning.
  return parts
    .map((text, index) =>
      text.endsWith('{') && parts[index + 1]?.startsWith('{{') ? `${text.slice(0, -1)}{{ "{" }}` : text,
    )
    .join('');
}

/** Any value with its texts as Weft writes them. */
export function value(given: unknown, expressions: Expressions): unknown {
  if (typeof given === 'string') return template(given, expressions);
  if (Array.isArray(given)) return given.map((item) => value(item, expressions));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, item]) => [plain(name), value(item, expressions)]));
}

/** A value as JSONata; undefined: a part of it has no counterpart. */
export function expression(given: unknown, expressions: Expressions): Code | undefined {
  if (typeof given !== 'string') return { code: json(given), type: typeOf(given), isAtom: true };
  if (!isExpression(given)) return { code: quoted(given), type: 'string', isAtom: true };
  const pieces = piecesOf(given, expressions);
  const [only] = pieces;
  if (pieces.length === 1 && only && 'source' in only) return attempt(only.source, expressions);
  const codes = pieces.map((piece): Code | undefined =>
    'text' in piece ? { code: quoted(piece.text), type: 'string', isAtom: true } : attempt(piece.source, expressions),
  );
  if (codes.length === 0) return { code: '""', type: 'string', isAtom: true };
  if (codes.some((code) => code === undefined)) return undefined;
  return { code: codes.map((code) => part(asText(code as Code))).join(' & '), type: 'string', isAtom: false };
}

const typeOf = (given: unknown): Code['type'] =>
  typeof given === 'number' ? 'number' : typeof given === 'boolean' ? 'boolean' : given === null ? 'null' : 'any';

const json = (given: unknown): string =>
  typeof given === 'object' && given !== null ? literalOf(given) : JSON.stringify(given ?? null);

/** A JSON value as JSONata. Braces that follow each other are kept apart. */
function literalOf(given: unknown): string {
  if (typeof given === 'string') return quoted(given);
  if (Array.isArray(given)) return `[${given.map(literalOf).join(', ')}]`;
  if (typeof given !== 'object' || given === null) return JSON.stringify(given ?? null);
  const entries = Object.entries(given).map(([name, item]) => `${quoted(name)}: ${literalOf(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Signs that no file has: what stands between them is the number of an expression. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

/** A text of JSON, in which expressions may stand anywhere, as a value with texts as Weft writes them; undefined: it is no JSON. */
export function jsonValue(given: string, expressions: Expressions): { value: unknown } | undefined {
  if (given.includes(OPEN) || given.includes(CLOSE)) return undefined;
  const isOpen = isExpression(given);
  const pieces: Piece[] = isOpen ? piecesOf(given, expressions) : [{ text: given }];
  const [only] = pieces.filter((piece) => 'source' in piece || piece.text.trim() !== '');
  if (only && 'source' in only && pieces.every((piece) => piece === only || ('text' in piece && !piece.text.trim()))) {
    const code = whole(only.source, expressions);
    return code && { value: braced(code) };
  }
  const scan = { isInText: false };
  const text = pieces
    .map((piece, index) => {
      if ('text' in piece) return followed(piece.text, scan);
      return scan.isInText ? `${OPEN}${index}${CLOSE}` : `"${OPEN}${index}${CLOSE}"`;
    })
    .join('');
  try {
    return { value: filled(parseExactJson(text), pieces, expressions) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The value of an expression that is a whole body: `JSON.stringify` around it is the work of the node. */
function whole(source: string, expressions: Expressions): Code | undefined {
  try {
    const syntax = parse(source);
    const isText =
      syntax.kind === 'call' &&
      syntax.callee.kind === 'member' &&
      syntax.callee.object.kind === 'name' &&
      syntax.callee.object.name === 'JSON' &&
      syntax.callee.key.kind === 'literal' &&
      syntax.callee.key.value === 'stringify';
    const [inner] = isText ? syntax.parameters : [];
    return codeOf(inner ?? syntax, expressions.scope);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    expressions.lose(source, error.message);
    return undefined;
  }
}

/** Follows whether the text after this one is inside of a text of JSON. Line breaks there, which n8n permits, are escaped. */
function followed(text: string, scan: { isInText: boolean }): string {
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (scan.isInText && sign === '\\') {
      result += sign + text.charAt(index + 1);
      index += 1;
      continue;
    }
    if (sign === '"') scan.isInText = !scan.isInText;
    result += scan.isInText && sign === '\n' ? String.raw`\n` : sign;
  }
  return result;
}

function filled(given: unknown, pieces: readonly Piece[], expressions: Expressions): unknown {
  if (typeof given === 'string') return filledText(given, pieces, expressions);
  if (Array.isArray(given)) return given.map((item) => filled(item, pieces, expressions));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [
      filledText(name, pieces, expressions),
      filled(item, pieces, expressions),
    ]),
  );
}

function filledText(given: string, pieces: readonly Piece[], expressions: Expressions): string {
  return given
    .split(OPEN)
    .map((section, index) => {
      const close = index === 0 ? -1 : section.indexOf(CLOSE);
      const piece = close === -1 ? undefined : pieces[Number(section.slice(0, close))];
      const rest = plain(section.slice(close + 1));
      if (!piece || !('source' in piece)) return rest;
      const code = attempt(piece.source, expressions);
      return (code ? braced(code) : lostText(piece.source)) + rest;
    })
    .join('');
}
