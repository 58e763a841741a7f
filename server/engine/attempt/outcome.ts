import type { RunError } from '@/contract/execution';
import type { FailureParameters } from '@/contract/failures/failure-record';
import {
  EvaluationFailedError,
  redactLargeValue,
  type EvaluationContext,
} from '@/server/evaluation/evaluator/evaluation';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import type { MaybePromise } from '@/server/platform/timers/maybe-promise';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type {
  CallerResponse,
  FormEnding,
  ItemOrigins,
  NodeRunResult,
  WaitReason,
} from '@/server/workflow/nodes/node-type';
import type { PortShares } from '../store/port-shares';
import type { PendingNodeRow } from '../store/rows';
import type { LoopResumeData, ResumeData } from '../store/state';
import { toStorableText, normalizeValue, type NormalizedValue } from '../store/value';
import type { SecretRedactor } from './secret-redactor';
import type { AttemptTrace } from '../store/trace';

/** The outcome of one attempt, without secrets. */
export type AttemptOutcome =
  | ({
      kind: 'done';
      port: string;
      trace?: AttemptTrace;
      answer?: CallerResponse;
      shares?: PortShares;
      origins?: ItemOrigins;
      /** What readers of the run see of it besides the output, as `held` of its row. */
      resumeJson?: string;
    } & NormalizedValue)
  /** `resumeData` undefined: it stays as it is. */
  | { kind: 'wait'; until: Date | null; forDecision: boolean; resumeData?: ResumeData; resumeJson: string | null }
  /** `resumeJson` null: the rounds are already stored. */
  | { kind: 'rounds'; resumeData: LoopResumeData; resumeJson: string | null }
  /** The result of a change, which is stored already. */
  | { kind: 'stored'; row: PendingNodeRow }
  | FailedOutcome;

export interface FailedOutcome {
  kind: 'failed';
  code: string;
  message: string;
  isRetriable: boolean;
  retryAfterMs: number;
  /** The node inside this one (in a loop) where the failure occurred. */
  nodeId?: string;
  expression?: RunError['expression'];
  parameters?: RunError['parameters'];
  trace?: AttemptTrace;
}

/** The outcome of a node with `output`. Never throws. A promise only for a large output that may contain secrets. */
export function toOutputOutcome(
  output: unknown,
  redactor: SecretRedactor,
  purpose: () => EvaluationContext,
  port = 'output',
): AttemptOutcome | Promise<AttemptOutcome> {
  try {
    if (redactor.isEmpty) return { kind: 'done', port, ...normalizeValue(output) };
    const json = serializeJson(output) ?? 'null';
    if (json.length > MAX_REDACTED_LOCALLY) return redactLargeOutput(json, redactor, purpose(), port);
    return { kind: 'done', port, ...normalizeValue(redactor.value(output)) };
  } catch (error) {
    return toFailedOutcome(error, redactor);
  }
}

/** Values with more characters of JSON are redacted in evaluator processes. */
export const MAX_REDACTED_LOCALLY = 16 * 1024;

async function redactLargeOutput(
  json: string,
  redactor: SecretRedactor,
  purpose: EvaluationContext,
  port: string,
): Promise<AttemptOutcome> {
  try {
    return { kind: 'done', port, ...normalizeValue(await redactLargeValue(json, redactor.all, purpose)) };
  } catch (error) {
    return toFailedOutcome(error, redactor);
  }
}

type WaitOutcome = Extract<NodeRunResult, { kind: 'wait' }>;

/** Converts the wait of a node, with the data from which the node continues. Secrets are masked. */
export function toWaitOutcome({ until, forDecision, held }: WaitOutcome, redactor: SecretRedactor): AttemptOutcome {
  if (!held) return { kind: 'wait', until, forDecision, resumeJson: null };
  const masked = redactor.value(held);
  return { kind: 'wait', until, forDecision, resumeData: toResumeData(masked), resumeJson: JSON.stringify(masked) };
}

function toResumeData(held: WaitReason): ResumeData {
  if ('childId' in held) return { kind: 'child', childId: held.childId };
  return 'message' in held ? { kind: 'decision', asked: held } : { kind: 'call' };
}

/** A `done` outcome with the answer to the caller of the run, without secrets. Other outcomes carry no answer. */
export function attachCallerResponse(
  outcome: AttemptOutcome,
  answer: CallerResponse,
  redactor: SecretRedactor,
  purpose: EvaluationContext,
): MaybePromise<AttemptOutcome> {
  if (outcome.kind !== 'done') return outcome;
  if (answer.body.length > MAX_REDACTED_LOCALLY && !redactor.isEmpty)
    return attachLargeResponse(outcome, answer, redactor, purpose);
  const { status, headers, body } = answer;
  outcome.answer = redactor.isEmpty
    ? answer
    : { status, headers: maskHeaders(headers, redactor), body: redactor.text(body) };
  return outcome;
}

/** A `done` outcome with what the visitor of a form sees at the end, without secrets. */
export const attachFormEnding = (
  outcome: AttemptOutcome,
  ending: FormEnding,
  redactor: SecretRedactor,
): AttemptOutcome =>
  outcome.kind === 'done' ? { ...outcome, resumeJson: JSON.stringify(redactor.value({ ending })) } : outcome;

/** A header has no character of the mask, so it is written with asterisks. */
const maskHeaders = (headers: Record<string, string>, redactor: SecretRedactor): Record<string, string> =>
  Object.fromEntries(
    Object.entries(redactor.value(headers)).map(([name, value]) => [
      name.replaceAll('•', '*'),
      value.replaceAll('•', '*'),
    ]),
  );

async function attachLargeResponse(
  outcome: Extract<AttemptOutcome, { kind: 'done' }>,
  { status, headers, body }: CallerResponse,
  redactor: SecretRedactor,
  purpose: EvaluationContext,
): Promise<AttemptOutcome> {
  try {
    const masked = await redactLargeValue(JSON.stringify(body), redactor.all, purpose);
    const text = String(isLargeJson(masked) ? JSON.parse(masked.text) : masked);
    outcome.answer = { status, headers: maskHeaders(headers, redactor), body: text };
    return outcome;
  } catch (error) {
    return toFailedOutcome(error, redactor);
  }
}

const redactFailureParameters = (parameters: FailureParameters, redactor: SecretRedactor): FailureParameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? toStorableText(redactor.text(value)) : value,
    ]),
  );

export function toFailedOutcome(error: unknown, redactor: SecretRedactor): FailedOutcome {
  const message = toStorableText(redactor.text(error instanceof Error ? error.message : String(error)));
  if (error instanceof NodeFailure) {
    const { code, retriable, retryAfterMs } = error;
    const { expression: at, parameters } = error.by;
    const expression = at && { ...at, source: toStorableText(redactor.text(at.source)) };
    return {
      kind: 'failed',
      code: toStorableText(redactor.text(code)),
      message,
      isRetriable: retriable,
      retryAfterMs,
      expression,
      parameters: parameters && redactFailureParameters(parameters, redactor),
    };
  }
  if (error instanceof EvaluationFailedError) {
    return { kind: 'failed', code: error.failure.code, message, isRetriable: false, retryAfterMs: 0 };
  }
  return { kind: 'failed', code: 'INTERNAL', message, isRetriable: true, retryAfterMs: 0 };
}
