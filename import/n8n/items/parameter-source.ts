import { Parser, type Node } from 'acorn';
import { cutWellFormed } from '../file';

/** JavaScript that stands in a parameter as it is. */
export class RawSource {
  constructor(readonly source: string) {}
}

/** A piece of a text that n8n evaluates. */
export type TextPiece = { text: string } | { source: string };

/** Collects the expressions that cannot be kept. */
export type ReportLost = (source: string, reason: string) => void;

/** Whether n8n evaluates a text. */
const isEvaluated = (text: string): boolean => text.startsWith('=');

/** Braces that begin or end an expression, or that a backslash keeps from it. */
const OPENING = /(\\?)\{\{/g;
const CLOSING = /(\\?)\}\}/g;

/** The place of the next braces without a backslash before them. */
function findBraces(pattern: RegExp, value: string, from: number): number {
  pattern.lastIndex = from;
  for (let found = pattern.exec(value); found; found = pattern.exec(value)) if (found[1] === '') return found.index;
  return -1;
}

/**
 * The plain texts and the expressions of a text that n8n evaluates. As there, each expression ends at the first `}}`, or
 * with the text.
 */
export function splitText(value: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 1;
  for (let open = findBraces(OPENING, value, at); open !== -1; open = findBraces(OPENING, value, at)) {
    const end = findBraces(CLOSING, value, open + 2);
    const source = value.slice(open + 2, end === -1 ? undefined : end).replace(String.raw`\}}`, '}}');
    if (open > at) pieces.push({ text: value.slice(at, open) });
    pieces.push({ source: source.trim().replace(/;+$/, '') });
    at = end === -1 ? value.length : end + 2;
  }
  if (at < value.length) pieces.push({ text: value.slice(at) });
  return pieces;
}

const MAX_SOURCE = 30_000;
const MAX_DEPTH = 500;
const REFUSED_TYPES = new Set(['AwaitExpression', 'ImportExpression', 'MetaProperty']);
const REFUSED_NAMES = new Set(['eval', 'Function']);

function isAcceptable(tree: unknown, depth = 0): boolean {
  if (typeof tree !== 'object' || tree === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(tree)) return tree.every((one) => isAcceptable(one, depth));
  const { type, name } = tree as Node & { name?: unknown };
  if (REFUSED_TYPES.has(type) || (type === 'Identifier' && REFUSED_NAMES.has(String(name)))) return false;
  return Object.values(tree).every((one) => isAcceptable(one, depth + 1));
}

function parseSource(source: string): boolean {
  try {
    const { body } = Parser.parse(`(\n${source}\n)`, { ecmaVersion: 2023, sourceType: 'module' });
    const [statement] = body;
    return body.length === 1 && statement?.type === 'ExpressionStatement' && isAcceptable(statement);
  } catch {
    return false;
  }
}

/** Short sources stand in a file many times, and parsing is most of what its conversion takes. */
const parsedSources = new Map<string, boolean>();
const MAX_PARSED_SOURCES = 1000;
const MAX_KEPT_SOURCE = 1000;

/** Whether a text is an expression that Weft evaluates. */
export function isReadableSource(source: string): boolean {
  if (source.trim() === '' || source.length > MAX_SOURCE || source.includes('<!--')) return false;
  const found = parsedSources.get(source) ?? parseSource(source);
  if (parsedSources.size >= MAX_PARSED_SOURCES) parsedSources.clear();
  if (source.length <= MAX_KEPT_SOURCE) parsedSources.set(source, found);
  return found;
}

const lostText = (source: string): string => `(n8n: ${cutWellFormed(source, 200)})`;

/** The code of a piece; a text for an expression that cannot be kept. */
function writePiece(piece: TextPiece, reportLost: ReportLost): string {
  if ('text' in piece) return JSON.stringify(piece.text);
  if (isReadableSource(piece.source)) return `(${withOwnLine(piece.source)})`;
  if (piece.source === '') return '""';
  reportLost(piece.source, 'its syntax');
  return JSON.stringify(lostText(piece.source));
}

/** A comment at the end of an expression must not hide what follows. */
const withOwnLine = (source: string): string => (source.includes('//') ? `${source}\n` : source);

/** The expression of a text: its value, with its type if nothing else stands in the text. */
export function writeTextSource(value: string, reportLost: ReportLost): string {
  if (!isEvaluated(value)) return JSON.stringify(value);
  const pieces = splitText(value);
  const [only] = pieces;
  if (!only) return '""';
  if (pieces.length === 1) return writePiece(only, reportLost);
  const parts = pieces.map((piece) => ('text' in piece ? '' : '() => ') + writePiece(piece, reportLost));
  return `n8n.text(${parts.join(', ')})`;
}

/** A parameter as JavaScript: a text that n8n evaluates is a function, which is called when the node reads it. */
export function writeParameter(value: unknown, reportLost: ReportLost): string {
  if (value instanceof RawSource) return value.source;
  if (typeof value === 'string')
    return isEvaluated(value) ? `() => ${writeTextSource(value, reportLost)}` : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => writeParameter(one, reportLost)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value)
    .filter(([name, one]) => one !== undefined && name !== '__proto__')
    .map(
      ([name, one]) =>
        `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${writeParameter(one, reportLost)}`,
    );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** A parameter as an expression with its value. */
export const writeParameterSource = (value: unknown, reportLost: ReportLost): string =>
  typeof value === 'string' ? writeTextSource(value, reportLost) : writeParameter(value, reportLost);

/** A text that Weft takes as it is: `{{` would begin an expression. */
export const escapeBraces = (text: string): string => text.replaceAll('{{', '{{ "{{" }}').replace(/\{$/, '{{ "{" }}');

/** A text for the config of a node of Weft, with its expressions in braces. */
export function writeConfigText(value: string, reportLost: ReportLost): string {
  if (!isEvaluated(value)) return escapeBraces(value);
  return splitText(value)
    .map((piece) => {
      if ('text' in piece) return escapeBraces(piece.text);
      if (isReadableSource(piece.source)) return `{{ ${withOwnLine(piece.source)} }}`;
      if (piece.source === '') return '';
      reportLost(piece.source, 'its syntax');
      return escapeBraces(lostText(piece.source));
    })
    .join('');
}

/** Any value for the config of a node of Weft. */
export function writeConfigValue(value: unknown, reportLost: ReportLost): unknown {
  if (typeof value === 'string') return writeConfigText(value, reportLost);
  if (Array.isArray(value)) return value.map((one) => writeConfigValue(one, reportLost));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [escapeBraces(name), writeConfigValue(one, reportLost)]),
  );
}
