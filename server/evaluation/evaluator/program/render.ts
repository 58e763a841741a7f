import type { ParsedExpression } from '@/server/evaluation/expressions/expression';
import {
  joinTextParts,
  parseFieldText,
  findPathProblem,
  fieldReading,
  type FieldReadingRules,
  type ParsedFieldText,
  type TextSyntax,
} from '@/server/evaluation/expressions/template';
import { setField } from '@/server/evaluation/expressions/scope';
import type { KnownValueTraits } from '@/server/evaluation/expressions/large-json';
import { isJsonataTrue } from '@/server/evaluation/expressions/truth';
import type { JobFailure, EvaluationLimits } from '../jobs';
import { evaluateExpression, JsonataEvaluationError, copyPlainValue, loadNamedFunctions } from './jsonata';
import { LimitExceededError, EvaluationMeter } from './meter';

type RenderedObject = Record<string, unknown>;

/** A field that cannot be rendered. */
export class FieldRenderError extends Error {
  constructor(readonly failure: JobFailure) {
    super(failure.message);
  }
}

/** Limit of all expressions of a node together, as a multiple of the limit of one. */
const NODE_CPU_FACTOR = 4;

/** Renders the fields of one node's config. */
export class FieldRenderer {
  private total: EvaluationMeter | undefined;
  private parsedScope: unknown;

  /** `progress`: called between expressions, so that each has a separate time limit. */
  constructor(
    private readonly scopeJson: string,
    private readonly rules: FieldReadingRules,
    private readonly limits: EvaluationLimits,
    private readonly progress: () => Promise<void>,
    private readonly timeZone?: string,
  ) {}

  async field(name: string, configured: unknown): Promise<unknown> {
    if (typeof configured !== 'string') return this.value(configured, name);
    const { kind, isHtml } = fieldReading(name, configured, this.rules);
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
    const rendered: RenderedObject = {};
    for (const [key, inner] of Object.entries(value))
      setField(rendered, key, await this.value(inner, `${field}.${key}`));
    return rendered;
  }

  private async text(text: string, kind: TextSyntax, isHtml: boolean, field: string): Promise<unknown> {
    const parsed = parseTextCached(text, kind);
    if ('problem' in parsed) {
      const { problem } = parsed;
      throw new FieldRenderError({ code: 'EXPRESSION', message: problem.message, field, problem });
    }
    if (this.rules.paths?.includes(field)) {
      const problem = findPathProblem(parsed, this.scope(false));
      if (problem) throw new FieldRenderError({ code: 'EXPRESSION', message: problem.message, field, problem });
    }
    const values: unknown[] = [];
    let length = 0;
    for (const part of parsed.parts) {
      const value = 'text' in part ? part.text : await this.expression(part.expression, field);
      if (parsed.parts.length > 1) length += estimateTextLength(value);
      if (length > MAX_RENDERED_TEXT) {
        throw new FieldRenderError({ code: 'EVALUATION_MEMORY', message: 'The text is larger than 10 MiB', field });
      }
      values.push(value);
    }
    return joinTextParts(parsed.parts, values, isHtml);
  }

  private async expression({ source, isIntrusive }: ParsedExpression, field: string): Promise<unknown> {
    await this.progress();
    await loadNamedFunctions(source);
    try {
      const meter = this.startMeter();
      return copyPlainValue(await evaluateExpression(source, this.scope(isIntrusive), meter, this.timeZone), meter);
    } catch (error) {
      if (error instanceof LimitExceededError) {
        const problem = { message: error.message, source, position: 0 };
        throw new FieldRenderError({ code: error.code, message: error.message, field, problem });
      }
      const { message, position } =
        error instanceof JsonataEvaluationError ? error : { message: String(error), position: 0 };
      throw new FieldRenderError({ code: 'EXPRESSION', message, field, problem: { message, source, position } });
    }
  }

  /** Begins to measure an expression. Throws LimitExceeded if the expressions of the node have used up their time together. */
  protected startMeter(): EvaluationMeter {
    this.total ??= new EvaluationMeter({ ...this.limits, cpuMs: this.limits.cpuMs * NODE_CPU_FACTOR });
    this.total.check();
    return new EvaluationMeter(this.limits);
  }

  /** What expressions see. `isFresh`: the expression can modify it. */
  protected scope(isFresh: boolean): unknown {
    if (isFresh) return JSON.parse(this.scopeJson) as unknown;
    return (this.parsedScope ??= JSON.parse(this.scopeJson));
  }
}

const MAX_RENDERED_TEXT = 10 * 1024 * 1024;

const estimateTextLength = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value).length
      : 16;

/** Cache of parsed texts, limited by their characters. */
const parsedTextCache = new Map<string, ParsedFieldText>();
const MAX_CACHED_TEXT_LENGTH = 4 * 1024 * 1024;
let knownSize = 0;

function parseTextCached(text: string, kind: TextSyntax): ParsedFieldText {
  const key = `${kind} ${text}`;
  const before = parsedTextCache.get(key);
  if (before) return before;
  const parsed = parseFieldText(text, kind);
  if (knownSize + key.length > MAX_CACHED_TEXT_LENGTH) {
    parsedTextCache.clear();
    knownSize = 0;
  }
  parsedTextCache.set(key, parsed);
  knownSize += key.length;
  return parsed;
}

export const measureValueTraits = (value: unknown): KnownValueTraits =>
  Array.isArray(value) ? { isTrue: isJsonataTrue(value), length: value.length } : { isTrue: isJsonataTrue(value) };
