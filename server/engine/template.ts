import { z } from 'zod';
import { escapeMarkup, isMarkup } from '../nodes/markup';
import { NodeFailure, type NodeKind } from '../nodes/node';
import { Cache } from './cache';
import { UNSURE } from './direct';
import { evaluate, EvaluationFailure, put, type Scope } from './evaluate';
import { expressionProblem, isProblem, read, type Expression } from './expression';
import { paced, type Paced } from './pace';

export type { Scope } from './evaluate';

type Bag = Record<string, unknown>;

/** Whose config it is, for messages and for what the node type says of its fields. */
export interface Place {
  nodeId: string;
  kind: Pick<NodeKind, 'config' | 'expressions' | 'literals' | 'markup'>;
}

/** Where an expression is wrong within a text. */
export interface TextProblem {
  message: string;
  /** The expression's source and the offset of the fault within it. */
  source: string;
  position: number;
}

/** A text taken apart: plain stretches and expressions in turn. */
type Part = { text: string } | { expression: Expression };
type Parsed = { parts: Part[] } | { problem: TextProblem };

/** How many `}}` are tried as the end of one expression. */
const MOST_ENDS = 50;

/**
 * Finds the end of an expression that begins at `from`: the first `}}` before which stands something that parses.
 * Braces inside strings, names, comments, regular expressions and objects never are that, as what stands before
 * them is always incomplete.
 */
function closing(text: string, from: number): { expression: Expression; end: number } | { problem: TextProblem } {
  const nextOpening = text.indexOf('{{', from);
  let widest = '';
  let end = text.indexOf('}}', from);
  for (let tries = 0; end !== -1 && tries < MOST_ENDS; tries += 1, end = text.indexOf('}}', end + 1)) {
    const source = text.slice(from, end);
    const expression = read(source);
    if (!isProblem(expression)) return { expression, end: end + 2 };
    if (widest === '' || nextOpening === -1 || end < nextOpening) widest = source;
  }
  if (widest === '' && text.indexOf('}}', from) === -1) {
    return { problem: { message: '"{{" is not closed by "}}"', source: text.slice(from), position: 0 } };
  }
  return { problem: { message: '', position: 0, ...expressionProblem(widest), source: widest } };
}

function takeApart(text: string): Parsed {
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

const known = new Cache<string, Parsed>(2000);
const WORTH_KEEPING = 4000;
const parsed = (text: string): Parsed =>
  text.length > WORTH_KEEPING ? takeApart(text) : known.get(text, () => takeApart(text));

/** True when a text holds an expression, or means to. */
export const isTemplate = (value: unknown): value is string => typeof value === 'string' && value.includes('{{');

/** What is wrong with the expressions of a text, or null. To write `{{` itself: `{{ "{{" }}`. */
export function textProblem(text: string): TextProblem | null {
  if (!isTemplate(text)) return null;
  const result = parsed(text);
  return 'problem' in result ? result.problem : null;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A field that is an expression by nature: `{{ … }}`, bare JSONata, or a date, which stands for itself. */
function bareParts(text: string): Parsed {
  if (MOMENT.test(text)) return { parts: [{ text }] };
  const braced = text.includes('{{') ? parsed(text.trim()) : undefined;
  if (braced && 'parts' in braced && braced.parts.length === 1) return braced;
  const expression = read(text);
  if (!isProblem(expression)) return { parts: [{ expression }] };
  if (braced && 'problem' in braced) return braced;
  return { problem: { ...expression, source: text } };
}

/** The same for a field that is an expression by nature. */
export function bareProblem(text: string): TextProblem | null {
  const result = bareParts(text);
  return 'problem' in result ? result.problem : null;
}

/** A problem in one sentence: what is wrong, and where in which expression (shortened). */
export function sentence({ message, source, position }: TextProblem): string {
  const text = source.trim();
  const at = Math.max(1, position - (source.length - source.trimStart().length));
  return `${message} (at position ${at} of "${text.length > 80 ? `${text.slice(0, 79)}…` : text}")`;
}

const LONGEST_SHOWN = 4000;

function failure({ nodeId }: Place, field: string, problem: TextProblem): NodeFailure {
  const message = `Node ${nodeId}, config.${field}: ${sentence(problem)}`;
  const { source, position } = problem;
  const expression = { field: `config.${field}`, source: source.slice(0, LONGEST_SHOWN), position };
  return new NodeFailure('EXPRESSION', message, false, 0, { expression });
}

/** What a value comes to whose expressions can all be read directly; UNSURE: some can't. */
function atOnce(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return isTemplate(value) ? partsAtOnce(parsed(value), scope) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => atOnce(item, scope));
    return items.includes(UNSURE) ? UNSURE : items;
  }
  const rendered: Bag = {};
  for (const key of Object.keys(value)) {
    const inner = atOnce((value as Bag)[key], scope);
    if (inner === UNSURE) return UNSURE;
    put(rendered, key, inner);
  }
  return rendered;
}

function partsAtOnce(result: Parsed, scope: Scope): unknown {
  const [only, ...others] = 'parts' in result ? result.parts : [];
  if (!only || others.length > 0 || !('expression' in only)) return UNSURE;
  const value = only.expression.direct ? only.expression.direct(scope) : UNSURE;
  return value === undefined ? null : value;
}

/** What a value looks like inside a text. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Generators stand by themselves: one inside a function is a class of its own each time that function is called.

function* valueOf(expression: Expression, scope: Scope, place: Place, field: string): Paced<unknown> {
  try {
    return yield* evaluate(expression, scope);
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const { message, position = 0 } = error;
    throw failure(place, field, { message, position, source: expression.source });
  }
}

function* renderParts(result: Parsed, scope: Scope, place: Place, field: string, isHtml: boolean): Paced<unknown> {
  if ('problem' in result) throw failure(place, field, result.problem);
  const values: unknown[] = [];
  for (const part of result.parts)
    values.push('text' in part ? part.text : yield* valueOf(part.expression, scope, place, field));
  if (values.length === 1 && !isHtml) return values[0] ?? null;
  return values
    .map((value, index) => {
      const part = result.parts[index];
      return isHtml && part && 'expression' in part ? escapeMarkup(asText(value)) : asText(value);
    })
    .join('');
}

function* renderValue(value: unknown, scope: Scope, place: Place, field: string): Paced<unknown> {
  if (typeof value === 'string') {
    return isTemplate(value) ? yield* renderParts(parsed(value), scope, place, field, false) : value;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries())
      items.push(yield* renderValue(item, scope, place, `${field}[${index}]`));
    return items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const rendered: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    put(rendered, key, yield* renderValue(inner, scope, place, `${field}.${key}`));
  }
  return rendered;
}

/**
 * A config with every expression replaced by its value. A string that is one expression and nothing else becomes its
 * value (as text where the field takes nothing else); a field that thereby comes to nothing is left out, nothing
 * deeper inside is null. In mixed text values become
 * text, objects JSON, and nothing the empty text. What values contain is data: it is never looked at for expressions.
 * Throws NodeFailure EXPRESSION, which names node, field, expression and position. A promise only when it takes long.
 */
export function render(config: Bag, scope: Scope, place: Place): Bag | Promise<Bag> {
  return paced(renderFields(config, scope, place));
}

function* renderFields(config: Bag, scope: Scope, place: Place): Paced<Bag> {
  const rendered: Bag = {};
  for (const [field, value] of Object.entries(config)) {
    const result = yield* renderField(field, value, scope, place);
    if (result !== null || value === null) put(rendered, field, result);
  }
  return rendered;
}

function* renderField(field: string, value: unknown, scope: Scope, place: Place): Paced<unknown> {
  const { expressions, literals = [], markup = [] } = place.kind;
  if (literals.includes(field)) return value;
  if (typeof value !== 'string') {
    const quick = atOnce(value, scope);
    return quick === UNSURE ? yield* renderValue(value, scope, place, field) : quick;
  }
  if (expressions.includes(field)) return yield* renderParts(bareParts(value), scope, place, field, false);
  const isHtml = markup.includes(field) && isMarkup(value);
  return isTemplate(value) ? fit(field, yield* renderParts(parsed(value), scope, place, field, isHtml), place) : value;
}

/** Where only text will do, a number or object becomes text. */
function fit(field: string, value: unknown, place: Place): unknown {
  const schema = place.kind.config.shape[field];
  if (typeof value === 'string' || value === null || !schema) return value;
  const isFitting = z.safeParse(schema, value).success || !z.safeParse(schema, asText(value)).success;
  return isFitting ? value : asText(value);
}
