import { parseExactJson } from '@/contract/exact-json';
import { cutWellFormed } from './file';
import { asTextCode, operandCode, jsonataString, type JsonataCode } from './javascript/code';
import { syntaxToJsonata, expressionToJsonata } from './javascript/jsonata';
import { parseScriptExpression } from './javascript/parse';
import type { ExpressionScope } from './javascript/scope';
import { UnsupportedSyntaxError } from './javascript/syntax';
import { splitText, writeConfigText, writeTextSource } from './items/parameter-source';

/** The context in which the expressions of one node are converted. It collects those that have no counterpart. */
export interface NodeExpressions {
  /** How expressions are written: as JSONata, or in JavaScript, as they are. */
  language: 'jsonata' | 'javascript';
  scope: ExpressionScope;
  /** Counts characters that are parsed; false: so many were parsed that the rest stays as it is. */
  spend(characters: number): boolean;
  /** Reports an expression that has no counterpart. */
  reportLost(source: string, reason: string): void;
}

type TextPiece = { text: string } | { source: string };

/** Whether n8n evaluates a text. */
export const isN8nExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/** The plain texts and the expressions of a text that n8n evaluates. */
function splitTextPieces(value: string, expressions: NodeExpressions): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 1;
  for (let open = value.indexOf('{{', at); open !== -1; open = value.indexOf('{{', at)) {
    const end = findExpressionEnd(value, open + 2, expressions);
    if (end === -1) break;
    if (open > at) pieces.push({ text: value.slice(at, open) });
    pieces.push({ source: value.slice(open + 2, end).trim() });
    at = end + 2;
  }
  if (at < value.length) pieces.push({ text: value.slice(at) });
  return pieces;
}

/** The cost of one parse attempt, in addition to its characters. */
const PARSE_ATTEMPT_COST = 50;
/** How many ends of one expression are attempted, because the braces of objects inside look like an end. */
const MAX_ATTEMPTED_ENDS = 20;

function findExpressionEnd(value: string, from: number, { spend }: NodeExpressions): number {
  const first = value.indexOf('}}', from);
  let end = first;
  for (let tries = 0; end !== -1 && tries < MAX_ATTEMPTED_ENDS; tries += 1, end = value.indexOf('}}', end + 1)) {
    if (!spend(end - from + PARSE_ATTEMPT_COST)) return first;
    try {
      parseScriptExpression(value.slice(from, end));
      return end;
    } catch (error) {
      if (!(error instanceof UnsupportedSyntaxError)) throw error;
    }
  }
  return first;
}

/** The code of an expression; undefined: it has no counterpart. */
function convertSource(source: string, { scope, reportLost: lose, spend }: NodeExpressions): JsonataCode | undefined {
  if (!spend(source.length + PARSE_ATTEMPT_COST)) {
    lose(source, 'so much text');
    return undefined;
  }
  try {
    return expressionToJsonata(source, scope);
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    lose(source, error.message);
    return undefined;
  }
}

/** A text that Weft takes as it is: `{{` would begin an expression. */
export const escapeBraces = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

const wrapInBraces = ({ code }: JsonataCode): string => `{{ ${code} }}`;
/** The text that replaces an expression without a counterpart. */
const lostExpressionText = (source: string): string => escapeBraces(`(n8n: ${cutWellFormed(source, 200)})`);

/**
 * A text of n8n as Weft writes it: with expressions in braces. One that is a single expression keeps the type of its
 * value.
 */
export function convertTemplate(value: string, expressions: NodeExpressions): string {
  if (expressions.language === 'javascript') return writeConfigText(value, expressions.reportLost);
  if (!isN8nExpression(value)) return escapeBraces(value);
  const parts = splitTextPieces(value, expressions).map((piece) => {
    if ('text' in piece) return escapeBraces(piece.text);
    const code = convertSource(piece.source, expressions);
    return code ? wrapInBraces(code) : lostExpressionText(piece.source);
  });
  // A brace before an expression would be taken for a part of its beginning.
  return parts
    .map((text, index) =>
      text.endsWith('{') && parts[index + 1]?.startsWith('{{') ? `${text.slice(0, -1)}{{ "{" }}` : text,
    )
    .join('');
}

/** Any value with its texts as Weft writes them. */
export function convertValue(given: unknown, expressions: NodeExpressions): unknown {
  if (typeof given === 'string') return convertTemplate(given, expressions);
  if (Array.isArray(given)) return given.map((item) => convertValue(item, expressions));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [escapeBraces(name), convertValue(item, expressions)]),
  );
}

/** A value as JSONata; undefined: a part of it has no counterpart. */
export function convertExpression(given: unknown, expressions: NodeExpressions): JsonataCode | undefined {
  if (typeof given !== 'string') return { code: jsonToCode(given), type: jsonCodeType(given), isAtom: true };
  if (expressions.language === 'javascript')
    return { code: writeTextSource(given, expressions.reportLost), type: 'any', isAtom: true };
  if (!isN8nExpression(given)) return { code: jsonataString(given), type: 'string', isAtom: true };
  const pieces = splitTextPieces(given, expressions);
  const [only] = pieces;
  if (pieces.length === 1 && only && 'source' in only) return convertSource(only.source, expressions);
  const codes = pieces.map((piece): JsonataCode | undefined =>
    'text' in piece
      ? { code: jsonataString(piece.text), type: 'string', isAtom: true }
      : convertSource(piece.source, expressions),
  );
  if (codes.length === 0) return { code: '""', type: 'string', isAtom: true };
  if (codes.some((code) => code === undefined)) return undefined;
  return {
    code: codes.map((code) => operandCode(asTextCode(code as JsonataCode))).join(' & '),
    type: 'string',
    isAtom: false,
  };
}

const jsonCodeType = (given: unknown): JsonataCode['type'] =>
  typeof given === 'number' ? 'number' : typeof given === 'boolean' ? 'boolean' : given === null ? 'null' : 'any';

const jsonToCode = (given: unknown): string =>
  typeof given === 'object' && given !== null ? jsonLiteralCode(given) : JSON.stringify(given ?? null);

/** The item that comes in as a text of JSON, as an expression. */
export const jsonTextCode = ({ language, scope: { json } }: NodeExpressions): string =>
  language === 'javascript' ? `JSON.stringify(${json})` : `$string(${json})`;

/** A JSON value as JSONata. Braces that follow each other are kept apart. */
function jsonLiteralCode(given: unknown): string {
  if (typeof given === 'string') return jsonataString(given);
  if (Array.isArray(given)) return `[${given.map(jsonLiteralCode).join(', ')}]`;
  if (typeof given !== 'object' || given === null) return JSON.stringify(given ?? null);
  const entries = Object.entries(given).map(([name, item]) => `${jsonataString(name)}: ${jsonLiteralCode(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Characters that occur in no file. They enclose the number of an expression. */
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

/**
 * A text of JSON, in which expressions may stand anywhere, as a value with texts as Weft writes them; undefined: it is
 * no JSON. In JavaScript the whole text is one expression, unless its fields are needed.
 */
export function convertJsonText(
  given: string,
  expressions: NodeExpressions,
  hasFields = false,
): { value: unknown } | undefined {
  if (given.includes(OPEN) || given.includes(CLOSE)) return undefined;
  const isOpen = isN8nExpression(given);
  if (expressions.language === 'javascript' && isOpen && given.includes('{{') && !hasFields)
    return { value: `{{ n8n.json(${writeTextSource(given, expressions.reportLost)}) }}` };
  const split = () => (expressions.language === 'javascript' ? splitText(given) : splitTextPieces(given, expressions));
  const pieces: TextPiece[] = isOpen ? split() : [{ text: given }];
  const [only] = pieces.filter((piece) => 'source' in piece || piece.text.trim() !== '');
  if (only && 'source' in only && pieces.every((piece) => piece === only || ('text' in piece && !piece.text.trim()))) {
    const code = convertWholeBody(only.source, expressions);
    return code && { value: wrapInBraces(code) };
  }
  const scan = { isInText: false };
  const text = pieces
    .map((piece, index) => {
      if ('text' in piece) return escapeLineBreaks(piece.text, scan);
      return scan.isInText ? `${OPEN}${index}${CLOSE}` : `"${OPEN}${index}${CLOSE}"`;
    })
    .join('');
  try {
    return { value: fillJsonValue(parseExactJson(text), pieces, expressions) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The value of an expression that is a whole body: `JSON.stringify` around it is the work of the node. */
function convertWholeBody(source: string, expressions: NodeExpressions): JsonataCode | undefined {
  if (expressions.language === 'javascript') {
    const code = `n8n.json(${writeTextSource(`={{ ${source} }}`, expressions.reportLost)})`;
    return { code, type: 'any', isAtom: true };
  }
  try {
    const syntax = parseScriptExpression(source);
    const isText =
      syntax.kind === 'call' &&
      syntax.callee.kind === 'member' &&
      syntax.callee.object.kind === 'name' &&
      syntax.callee.object.name === 'JSON' &&
      syntax.callee.key.kind === 'literal' &&
      syntax.callee.key.value === 'stringify';
    const [inner] = isText ? syntax.parameters : [];
    return syntaxToJsonata(inner ?? syntax, expressions.scope);
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    expressions.reportLost(source, error.message);
    return undefined;
  }
}

/**
 * Follows whether the text after this one is inside of a text of JSON. Line breaks there, which n8n permits, are
 * escaped.
 */
function escapeLineBreaks(text: string, scan: { isInText: boolean }): string {
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

function fillJsonValue(given: unknown, pieces: readonly TextPiece[], expressions: NodeExpressions): unknown {
  if (typeof given === 'string') return fillJsonText(given, pieces, expressions);
  if (Array.isArray(given)) return given.map((item) => fillJsonValue(item, pieces, expressions));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, item]) => [
      fillJsonText(name, pieces, expressions),
      fillJsonValue(item, pieces, expressions),
    ]),
  );
}

function fillJsonText(given: string, pieces: readonly TextPiece[], expressions: NodeExpressions): string {
  return given
    .split(OPEN)
    .map((section, index) => {
      const close = index === 0 ? -1 : section.indexOf(CLOSE);
      const piece = close === -1 ? undefined : pieces[Number(section.slice(0, close))];
      const rest = escapeBraces(section.slice(close + 1));
      if (!piece || !('source' in piece)) return rest;
      if (expressions.language === 'javascript')
        return writeConfigText(`={{ ${piece.source} }}`, expressions.reportLost) + rest;
      const code = convertSource(piece.source, expressions);
      return (code ? wrapInBraces(code) : lostExpressionText(piece.source)) + rest;
    })
    .join('');
}
