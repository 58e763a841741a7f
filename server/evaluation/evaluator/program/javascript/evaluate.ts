import type { QuickJSHandle } from 'quickjs-emscripten';
import type { ParsedJavaScript } from '@/server/evaluation/expressions/javascript/parse';
import { EvaluationProblemError } from '../evaluation-problem';
import { LimitExceededError, memoryLimitMessage, type EvaluationMeter } from '../meter';
import type { EvaluationLimits } from '../../jobs';
import { EXPRESSION_FILE, VALUE_MARK, wrapExpression } from './realm-source';
import { createExpressionSandbox, type ExpressionSandbox, type SandboxHost, type SandboxKind } from './sandbox';

/** Maximum length of a result's JSON in UTF-16 units. */
const MAX_RESULT_CHARACTERS = 10 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Memory grows in steps, so that evaluations with small data share one sandbox. */
const MEMORY_STEP_BYTES = 16 * MIB;
/** Values take about so many times the space of their JSON. */
const VALUE_SPACE_FACTOR = 8;

/** JavaScript to evaluate. `scope`: its data, by name, as JSON. */
export interface JavaScriptEvaluation {
  source: string;
  javascript: ParsedJavaScript;
  scope: string;
  /** The names that the scope has. */
  names: readonly string[];
  timeZone: string;
  /** With the names of n8n, and its rules for errors. `isPartOfText`: the value becomes text as n8n writes it. */
  prelude?: { isPartOfText: boolean } | undefined;
}

const host: { current: SandboxHost | undefined } = { current: undefined };

interface PooledSandbox {
  maxBytes: number;
  sandbox: Promise<ExpressionSandbox>;
}
/**
 * A sandbox without libraries, one with that for dates, and one with a prelude besides: most expressions need neither,
 * and both make the image larger.
 */
const sandboxes: Record<SandboxKind, PooledSandbox | undefined> = {
  plain: undefined,
  dates: undefined,
  prelude: undefined,
};

const chooseSandbox = ({ javascript: { names }, prelude }: Pick<JavaScriptEvaluation, 'javascript' | 'prelude'>) => {
  if (prelude) return 'prelude';
  return names.has('DateTime') || names.has('globalThis') ? 'dates' : 'plain';
};

function provideSandbox(kind: SandboxKind, dataLength: number, memoryBytes: number): Promise<ExpressionSandbox> {
  const dataBytes = Math.floor((dataLength * VALUE_SPACE_FACTOR) / MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES;
  const maxBytes = MEMORY_STEP_BYTES + memoryBytes + dataBytes;
  const kept = sandboxes[kind];
  if (kept?.maxBytes === maxBytes) return kept.sandbox;
  const sandbox = createExpressionSandbox(maxBytes, kind, host);
  sandboxes[kind] = { maxBytes, sandbox };
  return sandbox;
}

/** Loads what an evaluation needs, which does not count as its time. */
export const prepareJavaScript = async (
  job: Pick<JavaScriptEvaluation, 'javascript' | 'scope' | 'prelude'>,
  { memoryBytes }: EvaluationLimits,
): Promise<void> => void (await provideSandbox(chooseSandbox(job), job.scope.length, memoryBytes));

/** Words that are no names of parameters, although they may name a field. */
const RESERVED_WORDS = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public ' +
    'return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/**
 * The parameters of the function: the names that the expression reads, as far as the scope has them. With a prelude all
 * of them: a name that nothing has is no value there, not an error.
 */
const listParameters = ({ javascript, names, prelude }: JavaScriptEvaluation): string[] => {
  if (!prelude) return names.filter((name) => javascript.names.has(name));
  const read = [...javascript.names].filter((name) => !RESERVED_WORDS.has(name) || names.includes(name));
  return javascript.extensionCalls.length > 0 ? [...read, EXTEND_NAME] : read;
};

/** `arguments` cannot be a parameter of strict code: a name of the same length stands for it. */
const ARGUMENTS_NAME = 'arguments';
const ARGUMENTS_PARAMETER = '$rguments';

function replaceArguments(source: string, { argumentPositions }: ParsedJavaScript): string {
  let text = source;
  for (const position of argumentPositions)
    text = text.slice(0, position) + ARGUMENTS_PARAMETER + text.slice(position + ARGUMENTS_PARAMETER.length);
  return text;
}

/** The function of a prelude that calls a method, or what n8n has in its place. */
const EXTEND_NAME = '$extend';

/** The rest of an optional chain behind a call of the prelude is optional as well. */
function continueChain(source: string, rest: number): { at: number; until: number; text: string } {
  const dot = /^\s*\./.exec(source.slice(rest))?.[0].length ?? 0;
  return { at: rest, until: rest + dot, text: '?.' };
}

/** Writes `value.method(…)` as a call of the prelude, and templates as n8n does. */
function writeForPrelude(source: string, { extensionCalls, templateEdits }: ParsedJavaScript): string {
  const edits = extensionCalls.flatMap(({ start, valueEnd, method, open, optional, hasArguments, rest }) => {
    const isOptional =
      typeof optional === 'object' ? `(${source.slice(optional.start, optional.end)}) == null` : optional;
    return [
      { at: start, until: start, text: `${EXTEND_NAME}(` },
      { at: valueEnd, until: open + 1, text: `, ${JSON.stringify(method)}, ${isOptional}${hasArguments ? ', ' : ''}` },
      ...(rest === undefined ? [] : [continueChain(source, rest)]),
    ];
  });
  let text = '';
  let from = 0;
  for (const edit of [...edits, ...templateEdits].toSorted((one, other) => one.at - other.at)) {
    text += source.slice(from, edit.at) + edit.text;
    from = edit.until;
  }
  return text + source.slice(from);
}

interface ThrownInRealm {
  name?: string;
  message: string;
  stack?: string;
}

/** Where an error was thrown, in UTF-16 units from the beginning of the expression; 0 if it is unknown. */
function findThrownPosition(source: string, stack = ''): number {
  const place = new RegExp(`${EXPRESSION_FILE}:(\\d+):(\\d+)`).exec(stack);
  if (!place) return 0;
  const lines = source.split('\n');
  // The expression begins in the second line of its function.
  const line = Number(place[1]) - 2;
  if (line < 0 || line >= lines.length) return 0;
  const before = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  return Math.min(source.length, before + Number(place[2]));
}

/** One evaluation in a sandbox. */
class SandboxRun {
  constructor(
    private readonly sandbox: ExpressionSandbox,
    private readonly job: JavaScriptEvaluation,
    private readonly meter: EvaluationMeter,
    private readonly limits: EvaluationLimits,
  ) {}

  /** The JSON of the value, inside `{"value":…}`. Throws. */
  execute(): string {
    const { context, runner, configure, functions } = this.sandbox;
    const { job } = this;
    const names = listParameters(job);
    const hasArguments = names.includes(ARGUMENTS_NAME);
    const parameters = names.map((name) => (name === ARGUMENTS_NAME ? ARGUMENTS_PARAMETER : name));
    const written = hasArguments ? replaceArguments(job.source, job.javascript) : job.source;
    const source = job.prelude ? writeForPrelude(written, job.javascript) : written;
    const code = wrapExpression(source, job.javascript.form, parameters);
    const compiled = functions.provide(code, () => {
      const result = context.evalCode(code, EXPRESSION_FILE);
      if (result.error) throw this.failure(result.error);
      return result.value;
    });
    const given = [job.scope, JSON.stringify(names)].map((text) => context.newString(text));
    const isPartOfText = job.prelude?.isPartOfText === true ? context.true : context.false;
    const values = [compiled, ...given, configure, isPartOfText];
    const returned = context.callFunction(runner, context.undefined, values);
    if (returned.error) throw this.failure(returned.error);
    const text = context.getString(returned.value);
    if (this.meter.isLate()) throw this.meter.timeFailure();
    if (text.startsWith(VALUE_MARK)) return this.requireSmall(text.slice(1));
    throw this.thrown(JSON.parse(text.slice(1)) as ThrownInRealm);
  }

  private requireSmall(json: string): string {
    if (json.length <= MAX_RESULT_CHARACTERS) return json;
    throw new LimitExceededError('EVALUATION_MEMORY', 'The result is larger than 10 MiB');
  }

  /**
   * An error that the runner could not catch: an interruption, a syntax error, too little memory to describe another
   * one.
   */
  private failure(handle: QuickJSHandle): Error {
    if (this.meter.isLate()) return this.meter.timeFailure();
    const { context } = this.sandbox;
    const read = (field: string) => {
      const found = context.getProp(handle, field);
      return context.typeof(found) === 'string' ? context.getString(found) : '';
    };
    if (context.typeof(handle) !== 'object') return this.thrown({ message: '' });
    return this.thrown({ name: read('name'), message: read('message'), stack: read('stack') });
  }

  private thrown({ name = '', message, stack }: ThrownInRealm): Error {
    if (this.meter.isLate()) return this.meter.timeFailure();
    const isOutOfMemory = message.includes('out of memory') || (message === '' && this.sandbox.isMemoryFull());
    if (isOutOfMemory) return this.memoryFailure();
    const prefix = name === '' || name === 'Error' ? '' : `${name}: `;
    const text = `${prefix}${message === '' ? 'The expression threw a value without a message' : message}`;
    return new EvaluationProblemError(text, findThrownPosition(this.job.source, stack));
  }

  private memoryFailure = () => new LimitExceededError('EVALUATION_MEMORY', memoryLimitMessage(this.limits));
}

/**
 * Evaluates JavaScript in a realm that no other evaluation has used: afterwards the memory becomes again what it was
 * before the first one. The result is plain JSON. Throws EvaluationProblemError and LimitExceededError.
 */
export async function evaluateJavaScript(
  job: JavaScriptEvaluation,
  meter: EvaluationMeter,
  limits: EvaluationLimits,
): Promise<unknown> {
  const kind = chooseSandbox(job);
  const sandbox = await provideSandbox(kind, job.scope.length, limits.memoryBytes);
  host.current = { timeZone: job.timeZone, isLate: () => meter.isLate() };
  try {
    const json = new SandboxRun(sandbox, job, meter, limits).execute();
    return (JSON.parse(json) as { value?: unknown }).value;
  } catch (error) {
    if (error instanceof EvaluationProblemError || error instanceof LimitExceededError) throw error;
    // WebAssembly gave up, so that its stack is not what it was.
    sandboxes[kind] = undefined;
    throw new LimitExceededError('EVALUATION_MEMORY', memoryLimitMessage(limits));
  } finally {
    host.current = undefined;
    if (sandbox.isReusable()) sandbox.functions.restore();
    else sandboxes[kind] = undefined;
  }
}
