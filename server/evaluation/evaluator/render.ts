import type { Expression } from '@/server/expressions/expression';
import {
  joined,
  parseText,
  pathProblem,
  readingOf,
  type FieldRules,
  type ParsedText,
  type TextKind,
} from '@/server/expressions/template';
import { put } from '@/server/expressions/scope';
import type { ValueFacts } from '@/server/expressions/large-json';
import { isTrue } from '@/server/expressions/truth';
import type { Failure, Limits } from '../jobs';
import { evaluate, EvaluationError, plain, prepare } from './jsonata';
import { LimitExceeded, Meter } from './meter';

type Bag = Record<string, unknown>;

/** A field that cannot be rendered. */
export class RenderFailure extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Limit of all expressions of a node together, as a multiple of the limit of one. */
const EXPRESSIONS_PER_NODE = 4;

/** Renders the fields of one node's config. */
export class Renderer {
  private readonly total: Meter;
  private parsedScope: unknown;

  /** `progress`: called between expressions, so that each has a separate time limit. */
  constructor(
    private readonly scopeJson: string,
    private readonly rules: FieldRules,
    private readonly limits: Limits,
    private readonly progress: () => Promise<void>,
    private readonly timeZone?: string,
  ) {
    this.total = new Meter({ ...limits, cpuMs: limits.cpuMs * EXPRESSIONS_PER_NODE });
  }

  async field(name: string, configured: unknown): Promise<unknown> {
    if (typeof configured !== 'string') return this.value(configured, name);
    const { kind, isHtml } = readingOf(name, configured, this.rules);
    return this.text(configured, kind, isHtml, name);
  }

  private async value(value: unknown, field: string): Promise<unknown> {
    if (typeof value === 'string') return this.text(value, 'template', false, field);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [index, item] of value.entries()) items.push(await this.value(item, `${field}[${index}]`));
      return items;
    }
    if (typeof value !== 'object' || value === null) return value;
    const rendered: Bag = {};
    for (const [key, inner] of Object.entries(value)) put(rendered, key, await this.value(inner, `${field}.${key}`));
    return rendered;
  }

  private async text(text: string, kind: TextKind, isHtml: boolean, field: string): Promise<unknown> {
    const parsed = parsedText(text, kind);
    if ('problem' in parsed) {
      const { problem } = parsed;
      throw new RenderFailure({ code: 'EXPRESSION', message: problem.message, field, problem });
    }
    if (this.rules.paths?.includes(field)) {
      const problem = pathProblem(parsed, this.scope(false));
      if (problem) throw new RenderFailure({ code: 'EXPRESSION', message: problem.message, field, problem });
    }
    const values: unknown[] = [];
    let length = 0;
    for (const part of parsed.parts) {
      const value = 'text' in part ? part.text : await this.expression(part.expression, field);
      if (parsed.parts.length > 1) length += sizeOf(value);
      if (length > MAX_TEXT) {
        throw new RenderFailure({ code: 'EVALUATION_MEMORY', message: 'The text is larger than 10 MiB', field });
      }
      values.push(value);
    }
    return joined(parsed.parts, values, isHtml);
  }

  private async expression({ source, isIntrusive }: Expression, field: string): Promise<unknown> {
    await this.progress();
    await prepare(source);
    try {
      this.total.check();
      const meter = new Meter(this.limits);
      return plain(await evaluate(source, this.scope(isIntrusive), meter, this.timeZone), meter);
    } catch (error) {
      if (error instanceof LimitExceeded) {
        const problem = { message: error.message, source, position: 0 };
        throw new RenderFailure({ code: error.code, message: error.message, field, problem });
      }
      const { message, position } = error instanceof EvaluationError ? error : { message: String(error), position: 0 };
      throw new RenderFailure({ code: 'EXPRESSION', message, field, problem: { message, source, position } });
    }
  }

  private scope(isFresh: boolean): unknown {
    if (isFresh) return JSON.parse(this.scopeJson) as unknown;
    return (this.parsedScope ??= JSON.parse(this.scopeJson));
  }
}

const MAX_TEXT = 10 * 1024 * 1024;

const sizeOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value).length
      : 16;

/** Cache of parsed texts, limited by their characters. */
const cache = new Map<string, ParsedText>();
const MAX_KNOWN = 4 * 1024 * 1024;
let knownSize = 0;

function parsedText(text: string, kind: TextKind): ParsedText {
  const key = `${kind} ${text}`;
  const before = cache.get(key);
  if (before) return before;
  const parsed = parseText(text, kind);
  if (knownSize + key.length > MAX_KNOWN) {
    cache.clear();
    knownSize = 0;
  }
  cache.set(key, parsed);
  knownSize += key.length;
  return parsed;
}

export const factsOf = (value: unknown): ValueFacts =>
  Array.isArray(value) ? { isTrue: isTrue(value), length: value.length } : { isTrue: isTrue(value) };
