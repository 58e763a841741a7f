import { escapeHtmlMarkup, containsHtmlTag } from './markup';
import { isJavaScriptDialect, type ExpressionDialect } from '@/contract/workflows/expression-language';
import { parseExpression, type ParsedExpression } from './expression';
import { isExpressionProblem, type ExpressionProblem } from './expression-problem';
import { FALL_BACK_TO_EVALUATOR } from './fast-path';
import { parseJavaScript } from './javascript/parse';
import { isLargeJson } from './large-json';
import { setField } from './scope';

type RenderedFields = Record<string, unknown>;

/** The position of an error within a text. */
export interface ExpressionTextProblem {
  message: string;
  /** The expression's source and the offset of the error within it. */
  source: string;
  position: number;
}

/** How a node type reads the fields of its config. */
export interface FieldReadingRules {
  /** Fields that contain a bare expression. */
  expressions: readonly string[];
  /** Fields that are taken literally. */
  literals?: readonly string[];
  /** Text fields that may contain HTML: the values of expressions are escaped in it. */
  markup?: readonly string[];
  /** Expression fields in which a misspelt path is an error. */
  paths?: readonly string[];
}

/** A parsed text: plain text and expressions, alternating. */
type TextPart = { text: string } | { expression: ParsedExpression };
export type ParsedFieldText = { parts: TextPart[] } | { problem: ExpressionTextProblem };

/** `template`: plain text with expressions in `{{ }}`. `bare`: the whole field is an expression. */
export type TextSyntax = 'template' | 'bare';

/** Number of `}}` that are tried as the end of one expression. */
const MAX_CLOSING_ATTEMPTS = 50;

/** The JavaScript that begins at `from`: its syntax says where it ends. */
function findTemplateJavaScript(
  text: string,
  from: number,
): { expression: ParsedExpression; end: number } | { problem: ExpressionTextProblem } {
  const found = parseJavaScript(text.slice(from), 'braces');
  if (!isExpressionProblem(found)) {
    const { end, ...expression } = found;
    return { expression: { ...expression, isIntrusive: false }, end: from + end + 2 };
  }
  const close = text.indexOf('}}', from);
  if (close === -1) return { problem: createOpenBracesProblem(text.slice(from)) };
  return { problem: { ...found, source: text.slice(from, Math.max(close, from + found.position)) } };
}

const createOpenBracesProblem = (source: string): ExpressionTextProblem => ({
  message: '"{{" is not closed by "}}"',
  source,
  position: 0,
});

/**
 * Finds the end of JSONata that begins at `from`: the first `}}` after a text that parses. Braces inside strings,
 * names, comments, regular expressions and objects never match, because the text before them is incomplete.
 */
function findTemplateExpression(
  text: string,
  from: number,
): { expression: ParsedExpression; end: number } | { problem: ExpressionTextProblem } {
  const nextOpening = text.indexOf('{{', from);
  let widest = '';
  let end = text.indexOf('}}', from);
  for (let tries = 0; end !== -1 && tries < MAX_CLOSING_ATTEMPTS; tries += 1, end = text.indexOf('}}', end + 1)) {
    const source = text.slice(from, end);
    const expression = parseExpression(source);
    if (!isExpressionProblem(expression)) return { expression, end: end + 2 };
    if (widest === '' || nextOpening === -1 || end < nextOpening) widest = source;
  }
  if (widest === '' && text.indexOf('}}', from) === -1) {
    return { problem: createOpenBracesProblem(text.slice(from)) };
  }
  const problem = parseExpression(widest);
  return { problem: { message: '', position: 0, ...(isExpressionProblem(problem) ? problem : {}), source: widest } };
}

function parseTemplateText(text: string, language: ExpressionDialect): ParsedFieldText {
  const findExpression = isJavaScriptDialect(language) ? findTemplateJavaScript : findTemplateExpression;
  const parts: TextPart[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', at)) {
    if (open > at) parts.push({ text: text.slice(at, open) });
    const found = findExpression(text, open + 2);
    if ('problem' in found) return found;
    parts.push({ expression: found.expression });
    at = found.end;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return { parts };
}

/** Whether a text contains an expression, valid or not. `{{ "{{" }}` writes `{{` itself. */
export const hasExpression = (value: unknown): value is string => typeof value === 'string' && value.includes('{{');

/** Parses an expression that is the whole text. */
export function parseSource(source: string, language: ExpressionDialect): ParsedExpression | ExpressionProblem {
  if (language === 'jsonata') return parseExpression(source);
  const found = parseJavaScript(source, 'text');
  return isExpressionProblem(found) ? found : { ...found, isIntrusive: false };
}

const DATE_LITERAL = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/** `{{ … }}`, a bare expression, or a date, which is a literal. */
function parseBareField(text: string, language: ExpressionDialect): ParsedFieldText {
  if (DATE_LITERAL.test(text)) return { parts: [{ text }] };
  const braced = text.includes('{{') ? parseTemplateText(text.trim(), language) : undefined;
  if (braced && 'parts' in braced && braced.parts.length === 1) return braced;
  const expression = parseSource(text, language);
  if (!isExpressionProblem(expression)) return { parts: [{ expression }] };
  if (braced && 'problem' in braced) return braced;
  return { problem: { ...expression, source: text } };
}

/** Parses a text. The cost grows with its length: the main thread parses short texts only. */
export function parseFieldText(text: string, kind: TextSyntax, language: ExpressionDialect): ParsedFieldText {
  if (kind === 'bare') return parseBareField(text, language);
  return hasExpression(text) ? parseTemplateText(text, language) : { parts: [{ text }] };
}

/** An issue in one sentence: the error, and its place in which expression (shortened). */
export function describeTextProblem(problem: ExpressionTextProblem): string {
  const { position, excerpt } = locateTextProblem(problem);
  return `${problem.message} (at position ${position} of "${excerpt}")`;
}

/** The beginning of an expression without space around it, and the position of its problem, from 1. */
export function locateTextProblem({ source, position }: ExpressionTextProblem) {
  const text = source.trim();
  return {
    position: Math.max(1, position - (source.length - source.trimStart().length)),
    excerpt: text.length > 80 ? `${text.slice(0, 79)}…` : text,
  };
}

/** A value inside a text. */
export function writeValueAsText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Combines the values of a text's expressions: the value itself if the text is a single expression, else text. With a
 * prelude the evaluator has written the values as texts.
 */
export function joinTextParts(parts: TextPart[], values: unknown[], isHtml: boolean): unknown {
  const [only] = values;
  if (values.length === 1 && !isHtml) return only ?? null;
  return values
    .map((value, index) => {
      const part = parts[index];
      return isHtml && part && 'expression' in part
        ? escapeHtmlMarkup(writeValueAsText(value))
        : writeValueAsText(value);
    })
    .join('');
}

/**
 * The problem of an expression that is a path to nothing. Null and an empty list are values; a filter, or a path
 * through a list, may find nothing.
 */
export function findPathProblem(parsed: ParsedFieldText, scope: unknown): ExpressionTextProblem | undefined {
  const [part, ...others] = 'parts' in parsed ? parsed.parts : [];
  if (!part || others.length > 0 || !('expression' in part)) return undefined;
  const { source, fastPath, javascript } = part.expression;
  // Who writes `?.` in JavaScript expects that there may be nothing.
  const isOptional = javascript !== undefined && source.includes('?.');
  if (!fastPath || isOptional || fastPath(scope) !== undefined) return undefined;
  return { message: 'The path leads to nothing. Is a name misspelt?', source, position: 0 };
}

/** How one field of a config is read. */
export function fieldReading(
  field: string,
  source: unknown,
  rules: FieldReadingRules,
): { kind: TextSyntax; isMarkup: boolean } {
  const isBare = rules.expressions.includes(field);
  return {
    kind: isBare ? 'bare' : 'template',
    isMarkup: !isBare && rules.markup?.includes(field) === true && typeof source === 'string',
  };
}

/** Whether a text is HTML, its expressions aside. In JavaScript only the syntax says where they end. */
export function isHtmlText(text: string, { parts }: { parts: TextPart[] }, language: ExpressionDialect): boolean {
  const written = parts.map((part) => ('text' in part ? part.text : '')).join('');
  return containsHtmlTag(isJavaScriptDialect(language) ? written : text);
}

/** Parses a text if its parse is cached or cheap; else undefined. */
export type CachedTextParser = (
  text: string,
  kind: TextSyntax,
  language: ExpressionDialect,
) => ParsedFieldText | undefined;

/** Maximum length of a text that the fast path combines, in UTF-16 units. */
const MAX_JOINED_CHARACTERS = 16_384;

function renderTextFast(
  text: string,
  { kind, isMarkup, language }: { kind: TextSyntax; isMarkup: boolean; language: ExpressionDialect },
  scope: object,
  read: CachedTextParser,
): unknown {
  if (kind === 'template' && !hasExpression(text)) return text;
  const parsed = read(text, kind, language);
  if (!parsed || !('parts' in parsed)) return FALL_BACK_TO_EVALUATOR;
  const isHtml = isMarkup && isHtmlText(text, parsed, language);
  const values: unknown[] = [];
  let length = 0;
  for (const part of parsed.parts) {
    const value =
      'text' in part ? part.text : part.expression.fastPath ? part.expression.fastPath(scope) : FALL_BACK_TO_EVALUATOR;
    if (value === FALL_BACK_TO_EVALUATOR) return FALL_BACK_TO_EVALUATOR;
    if (parsed.parts.length > 1 || isHtml) {
      // Lists and objects would have to be written as JSON.
      if (typeof value === 'object' && value !== null) return FALL_BACK_TO_EVALUATOR;
      length += typeof value === 'string' ? value.length : 32;
      if (length > MAX_JOINED_CHARACTERS) return FALL_BACK_TO_EVALUATOR;
    }
    values.push(value);
  }
  return joinTextParts(parsed.parts, values, isHtml);
}

/** A large value inside a field makes the whole field large; it is combined as text. */
const needsEvaluator = (inner: unknown) => inner === FALL_BACK_TO_EVALUATOR || isLargeJson(inner);

function renderValueFast(value: unknown, language: ExpressionDialect, scope: object, read: CachedTextParser): unknown {
  if (typeof value === 'string')
    return renderTextFast(value, { kind: 'template', isMarkup: false, language }, scope, read);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => renderValueFast(item, language, scope, read));
    return items.some(needsEvaluator) ? FALL_BACK_TO_EVALUATOR : items;
  }
  const rendered: RenderedFields = {};
  for (const key of Object.keys(value)) {
    const inner = renderValueFast((value as RenderedFields)[key], language, scope, read);
    if (needsEvaluator(inner)) return FALL_BACK_TO_EVALUATOR;
    setField(rendered, key, inner);
  }
  return rendered;
}

/** A field of a config with its expressions replaced, if the fast path can compute all of them; else FALL_BACK. */
export function renderFieldFast(
  field: string,
  source: unknown,
  { kind: rules, language }: { kind: FieldReadingRules; language: ExpressionDialect },
  scope: object,
  read: CachedTextParser,
): unknown {
  if (rules.literals?.includes(field)) return source;
  if (typeof source !== 'string') return renderValueFast(source, language, scope, read);
  const { kind, isMarkup } = fieldReading(field, source, rules);
  const value = renderTextFast(source, { kind, isMarkup, language }, scope, read);
  // Nodes with an expression field read the facts.
  return kind === 'bare' && isLargeJson(value) && !value.facts ? FALL_BACK_TO_EVALUATOR : value;
}
