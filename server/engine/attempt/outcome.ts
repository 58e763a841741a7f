import type { RunError } from '@/contract/execution';
import { EvaluationFailed, redactLarge, type Purpose } from '@/server/evaluation/evaluation';
import { isLarge, jsonOf } from '@/server/expressions/large-json';
import type { MaybePromise } from '@/server/maybe-promise';
import { NodeFailure } from '@/server/errors/node-failure';
import type { RunAnswer } from '@/server/nodes/node';
import type { Row } from '../store/rows';
import type { LoopData, ResumeData } from '../store/state';
import { storedText, storedValue, type StoredValue } from '../store/value';
import type { SecretRedactor } from './secret-redactor';
import type { Trace } from '../store/trace';

/** The outcome of one attempt, without secrets. */
export type AttemptOutcome =
  | ({ kind: 'done'; port: string; trace?: Trace; answer?: RunAnswer } & StoredValue)
  /** `resumeData` undefined: it stays as it is. */
  | { kind: 'wait'; until: Date | null; forDecision: boolean; resumeData?: ResumeData; resumeJson: string | null }
  /** `resumeJson` null: the rounds are already stored. */
  | { kind: 'rounds'; resumeData: LoopData; resumeJson: string | null }
  /** The result of a change, which is stored already. */
  | { kind: 'stored'; row: Row }
  | Failed;

export interface Failed {
  kind: 'failed';
  code: string;
  message: string;
  isRetriable: boolean;
  retryAfterMs: number;
  /** The node inside this one (in a loop) where the failure occurred. */
  nodeId?: string;
  expression?: RunError['expression'];
  trace?: Trace;
}

/** The outcome of a node with `output`. Never throws. A promise only for a large output that may contain secrets. */
export function outputOutcome(
  output: unknown,
  redactor: SecretRedactor,
  purpose: () => Purpose,
  port = 'output',
): AttemptOutcome | Promise<AttemptOutcome> {
  try {
    if (redactor.isEmpty) return { kind: 'done', port, ...storedValue(output) };
    const json = jsonOf(output) ?? 'null';
    if (json.length > MAX_REDACTED) return finishRedacted(json, redactor, purpose(), port);
    return { kind: 'done', port, ...storedValue(redactor.value(output)) };
  } catch (error) {
    return failedOutcome(error, redactor);
  }
}

/** Values with more characters of JSON are redacted in evaluator processes. */
export const MAX_REDACTED = 16 * 1024;

async function finishRedacted(
  json: string,
  redactor: SecretRedactor,
  purpose: Purpose,
  port: string,
): Promise<AttemptOutcome> {
  try {
    return { kind: 'done', port, ...storedValue(await redactLarge(json, redactor.all, purpose)) };
  } catch (error) {
    return failedOutcome(error, redactor);
  }
}

/** A `done` outcome with the answer to the caller of the run, without secrets. Other outcomes carry no answer. */
export function withAnswer(
  outcome: AttemptOutcome,
  answer: RunAnswer,
  redactor: SecretRedactor,
  purpose: Purpose,
): MaybePromise<AttemptOutcome> {
  if (outcome.kind !== 'done') return outcome;
  if (answer.body.length > MAX_REDACTED && !redactor.isEmpty)
    return withLargeAnswer(outcome, answer, redactor, purpose);
  const { status, headers, body } = answer;
  outcome.answer = redactor.isEmpty
    ? answer
    : { status, headers: maskedHeaders(headers, redactor), body: redactor.text(body) };
  return outcome;
}

/** A header has no character of the mask, so it is written with asterisks. */
const maskedHeaders = (headers: Record<string, string>, redactor: SecretRedactor): Record<string, string> =>
  Object.fromEntries(
    Object.entries(redactor.value(headers)).map(([name, value]) => [
      name.replaceAll('•', '*'),
      value.replaceAll('•', '*'),
    ]),
  );

async function withLargeAnswer(
  outcome: Extract<AttemptOutcome, { kind: 'done' }>,
  { status, headers, body }: RunAnswer,
  redactor: SecretRedactor,
  purpose: Purpose,
): Promise<AttemptOutcome> {
  try {
    const masked = await redactLarge(JSON.stringify(body), redactor.all, purpose);
    const text = String(isLarge(masked) ? JSON.parse(masked.text) : masked);
    outcome.answer = { status, headers: maskedHeaders(headers, redactor), body: text };
    return outcome;
  } catch (error) {
    return failedOutcome(error, redactor);
  }
}

export function failedOutcome(error: unknown, redactor: SecretRedactor): Failed {
  const message = storedText(redactor.text(error instanceof Error ? error.message : String(error)));
  if (error instanceof NodeFailure) {
    const { code, retriable, retryAfterMs } = error;
    const { expression: at } = error.by;
    const expression = at && { ...at, source: storedText(redactor.text(at.source)) };
    return {
      kind: 'failed',
      code: storedText(redactor.text(code)),
      message,
      isRetriable: retriable,
      retryAfterMs,
      expression,
    };
  }
  if (error instanceof EvaluationFailed) {
    return { kind: 'failed', code: error.failure.code, message, isRetriable: false, retryAfterMs: 0 };
  }
  return { kind: 'failed', code: 'INTERNAL', message, isRetriable: true, retryAfterMs: 0 };
}
