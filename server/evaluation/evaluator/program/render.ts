import type { ParsedExpression } from '@/server/evaluation/expressions/expression';
import {
  joinTextParts,
  parseFieldText,
  findPathProblem,
  fieldReading,
  isHtmlText,
  type FieldReadingRules,
  type ParsedFieldText,
  type TextSyntax,
} from '@/server/evaluation/expressions/template';
import { setField } from '@/server/evaluation/expressions/scope';
import type { KnownValueTraits } from '@/server/evaluation/expressions/large-json';
import { isJsonataTrue } from '@/server/evaluation/expressions/truth';
import type { JobFailure, EvaluationLimits } from '../jobs';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import { EvaluationProblemError } from './evaluation-problem';
import { ScopeTexts } from './javascript/scope-texts';
import { evaluateExpression, copyPlainValue, loadNamedFunctions } from './jsonata';
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
  private ownScopeTexts: ScopeTexts | undefined;
  private parsedScope: unknown;

  /** `progress`: called between expressions, so that each has a separate time limit. */
  constructor(
    private readonly scopeJson: string,
    private readonly rules: FieldReadingRules,
    private readonly limits: EvaluationLimits,
    private readonly progress: () => Promise<void>,
    private readonly language: ExpressionDialect,
    private readonly timeZone?: string,
  ) {}

  async field(name: string, configured: unknown): Promise<unknown> {
    if (typeof configured !== 'string') return this.value(configured, name);
    const { kind, isMarkup } = fieldReading(name, configured, this.rules);
    return this.text(configured, kind, isMarkup, name);
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

  private async text(text: string, kind: TextSyntax, isMarkup: boolean, field: string): Promise<unknown> {
    const parsed = parseTextCached(text, kind, this.language);
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
      const value = 'text' in part ? part.text : await this.expression(part.expression, field, parsed.parts.length > 1);
      if (parsed.parts.length > 1) length += estimateTextLength(value);
      if (length > MAX_RENDERED_TEXT) {
        throw new FieldRenderError({ code: 'EVALUATION_MEMORY', message: 'The text is larger than 10 MiB', field });
      }
      values.push(value);
    }
    return joinTextParts(parsed.parts, values, isMarkup && isHtmlText(text, parsed, this.language));
  }

  private async expression(expression: ParsedExpression, field: string, isPartOfText: boolean): Promise<unknown> {
    const { source } = expression;
    const evaluate = await this.prepare(expression, isPartOfText);
    await this.progress();
    try {
      const meter = this.startMeter();
      return copyPlainValue(await evaluate(meter), meter);
    } catch (error) {
      if (error instanceof LimitExceededError) {
        const problem = { message: error.message, source, position: 0 };
        throw new FieldRenderError({ code: error.code, message: error.message, field, problem });
      }
      const { message, position } =
        error instanceof EvaluationProblemError ? error : { message: String(error), position: 0 };
      throw new FieldRenderError({ code: 'EXPRESSION', message, field, problem: { message, source, position } });
    }
  }

  /** Loads what the evaluation needs, which does not count as its time. */
  private async prepare(
    { source, isIntrusive, javascript }: ParsedExpression,
    isPartOfText: boolean,
  ): Promise<(meter: EvaluationMeter) => Promise<unknown>> {
    if (!javascript) {
      await loadNamedFunctions(source);
      return (meter) => evaluateExpression(source, this.scope(isIntrusive), meter, this.timeZone);
    }
    // QuickJS is loaded by processes that need it.
    const { evaluateJavaScript, prepareJavaScript } = await import('./javascript/evaluate');
    const prelude = this.language === 'n8n' ? { isPartOfText } : undefined;
    const picked = prelude ? { scope: this.preludeScope(), names: [] } : this.scopeTexts().pick(javascript);
    const job = { source, javascript, ...picked, timeZone: this.timeZone ?? 'UTC', prelude };
    await prepareJavaScript(job, this.limits);
    return (meter) => evaluateJavaScript(job, meter, this.limits);
  }

  /** What expressions with a prelude see. */
  protected preludeScope(): string {
    return this.scopeTexts().forPrelude();
  }

  /** The parts of what expressions in JavaScript see. */
  protected scopeTexts(): ScopeTexts {
    return (this.ownScopeTexts ??= new ScopeTexts(this.scopeJson));
  }

  /**
   * Begins to measure an expression. Throws LimitExceeded if the expressions of the node have used up their time
   * together.
   */
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

function parseTextCached(text: string, kind: TextSyntax, language: ExpressionDialect): ParsedFieldText {
  const key = `${language} ${kind} ${text}`;
  const before = parsedTextCache.get(key);
  if (before) return before;
  const parsed = parseFieldText(text, kind, language);
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
