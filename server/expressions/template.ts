import { escapeMarkup, isMarkup } from './markup';
import { isProblem, parseExpression, type Expression } from './expression';
import { FALL_BACK } from './fast-path';
import { isLarge } from './large-json';
import { put } from './scope';

type Bag = Record<string, unknown>;

/** The position of an error within a text. */
export interface TextProblem {
  message: string;
  /** The expression's source and the offset of the error within it. */
  source: string;
  position: number;
}

/** How a node type reads the fields of its config. */
export interface FieldRules {
  /** Fields that contain bare JSONata. */
  expressions: readonly string[];
  /** Fields that are taken literally. */
  literals?: readonly string[];
  /** Text fields that may contain HTML: the values of expressions are escaped in it. */
  markup?: readonly string[];
  /** Expression fields in which a misspelt path is an error. */
  paths?: readonly string[];
}

/** A parsed text: plain text and expressions, alternating. */
type Part = { text: string } | { expression: Expression };
export type ParsedText = { parts: Part[] } | { problem: TextProblem };

/** `template`: plain text with expressions in `{{ }}`. `bare`: the whole field is an expression. */
export type TextKind = 'template' | 'bare';

/** Number of `}}` that are tried as the end of one expression. */
const MAX_ENDS = 50;

/**
 * Finds the end of an expression that begins at `from`: the first `}}` after a text that parses. Braces inside strings, names, comments,
 * regular expressions and objects never match, because the text before them is incomplete.
 */
function closing(text: string, from: number): { expression: Expression; end: number } | { problem: TextProblem } {
  const nextOpening = text.indexOf('{{', from);
  let widest = '';
  let end = text.indexOf('}}', from);
  for (let tries = 0; end !== -1 && tries < MAX_ENDS; tries += 1, end = text.indexOf('}}', end + 1)) {
    const source = text.slice(from, end);
    const expression = parseExpression(source);
    if (!isProblem(expression)) return { expression, end: end + 2 };
    if (widest === '' || nextOpening === -1 || end < nextOpening) widest = source;
  }
  if (widest === '' && text.indexOf('}}', from) === -1) {
    return { problem: { message: '"{{" is not closed by "}}"', source: text.slice(from), position: 0 } };
  }
  const problem = parseExpression(widest);
  return { problem: { message: '', position: 0, ...(isProblem(problem) ? problem : {}), source: widest } };
}

function takeApart(text: string): ParsedText {
  const parts: Part[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at) parts.push({ text: text.slice(at, open) });
    const found = closing(text, open + 2);
    if ('problem' in found) return found;
    parts.push({ expression: found.expression });
    at = found.end;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return { parts };
}

/** Whether a text contains an expression, valid or not. `{{ "{{" }}` writes `{{` itself. */
export const isTemplate = (value: unknown): value is string => typeof value === 'string' && value.includes('{{');

const MOMENT = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/** `{{ … }}`, bare JSONata, or a date, which is a literal. */
function bareParts(text: string): ParsedText {
  if (MOMENT.test(text)) return { parts: [{ text }] };
  const braced = text.includes('{{') ? takeApart(text.trim()) : undefined;
  if (braced && 'parts' in braced && braced.parts.length === 1) return braced;
  const expression = parseExpression(text);
  if (!isProblem(expression)) return { parts: [{ expression }] };
  if (braced && 'problem' in braced) return braced;
  return { problem: { ...expression, source: text } };
}

/** Parses a text. The cost grows with its length; the main thread uses `parsedShort` instead. */
export const parseText = (text: string, kind: TextKind): ParsedText =>
  kind === 'bare' ? bareParts(text) : isTemplate(text) ? takeApart(text) : { parts: [{ text }] };

/** An issue in one sentence: the error, and its place in which expression (shortened). */
export function sentence({ message, source, position }: TextProblem): string {
  const text = source.trim();
  const at = Math.max(1, position - (source.length - source.trimStart().length));
  return `${message} (at position ${at} of "${text.length > 80 ? `${text.slice(0, 79)}…` : text}")`;
}

/** A value inside a text. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Combines the values of a text's expressions: the value itself if the text is a single expression, else text. */
export function joined(parts: Part[], values: unknown[], isHtml: boolean): unknown {
  const [only] = values;
  if (values.length === 1 && !isHtml) return only ?? null;
  return values
    .map((value, index) => {
      const part = parts[index];
      return isHtml && part && 'expression' in part ? escapeMarkup(asText(value)) : asText(value);
    })
    .join('');
}

/**
 * The problem of an expression that is a path to nothing. Null and an empty list are values; a filter, or a path through a list, may find
 * nothing.
 */
export function pathProblem(parsed: ParsedText, scope: unknown): TextProblem | undefined {
  const [part, ...others] = 'parts' in parsed ? parsed.parts : [];
  if (!part || others.length > 0 || !('expression' in part)) return undefined;
  const { source, fastPath } = part.expression;
  if (!fastPath || fastPath(scope) !== undefined) return undefined;
  return { message: 'The path leads to nothing. Is a name misspelt?', source, position: 0 };
}

/** How one field of a config is read. */
export function readingOf(field: string, source: unknown, rules: FieldRules): { kind: TextKind; isHtml: boolean } {
  const isBare = rules.expressions.includes(field);
  return {
    kind: isBare ? 'bare' : 'template',
    isHtml: !isBare && rules.markup?.includes(field) === true && typeof source === 'string' && isMarkup(source),
  };
}

/** Parses a text if its parse is cached or cheap; else undefined. */
export type ReadText = (text: string, kind: TextKind) => ParsedText | undefined;

/** Maximum length of a text that the fast path combines, in UTF-16 units. */
const MAX_JOINED = 16_384;

function textAtOnce(text: string, kind: TextKind, isHtml: boolean, scope: object, read: ReadText): unknown {
  if (kind === 'template' && !isTemplate(text)) return text;
  const parsed = read(text, kind);
  if (!parsed || !('parts' in parsed)) return FALL_BACK;
  const values: unknown[] = [];
  let length = 0;
  for (const part of parsed.parts) {
    const value = 'text' in part ? part.text : part.expression.fastPath ? part.expression.fastPath(scope) : FALL_BACK;
    if (value === FALL_BACK) return FALL_BACK;
    if (parsed.parts.length > 1 || isHtml) {
      // Lists and objects would have to be written as JSON.
      if (typeof value === 'object' && value !== null) return FALL_BACK;
      length += typeof value === 'string' ? value.length : 32;
      if (length > MAX_JOINED) return FALL_BACK;
    }
    values.push(value);
  }
  return joined(parsed.parts, values, isHtml);
}

/** A large value inside a field makes the whole field large; it is combined as text. */
const isLeftOver = (inner: unknown) => inner === FALL_BACK || isLarge(inner);

function valueAtOnce(value: unknown, scope: object, read: ReadText): unknown {
  if (typeof value === 'string') return textAtOnce(value, 'template', false, scope, read);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => valueAtOnce(item, scope, read));
    return items.some(isLeftOver) ? FALL_BACK : items;
  }
  const rendered: Bag = {};
  for (const key of Object.keys(value)) {
    const inner = valueAtOnce((value as Bag)[key], scope, read);
    if (isLeftOver(inner)) return FALL_BACK;
    put(rendered, key, inner);
  }
  return rendered;
}

/** A field of a config with its expressions replaced, if the fast path can compute all of them; else FALL_BACK. */
export function fieldAtOnce(field: string, source: unknown, rules: FieldRules, scope: object, read: ReadText): unknown {
  if (rules.literals?.includes(field)) return source;
  if (typeof source !== 'string') return valueAtOnce(source, scope, read);
  const { kind, isHtml } = readingOf(field, source, rules);
  const value = textAtOnce(source, kind, isHtml, scope, read);
  // Nodes with an expression field read the facts.
  return kind === 'bare' && isLarge(value) && !value.facts ? FALL_BACK : value;
}
