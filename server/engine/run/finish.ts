import type { RunError } from '@/contract/execution';
import type { AttemptOutcome, FailedOutcome } from '../attempt/outcome';
import { resolveRetry, retryDelayMs } from '@/server/workflow/nodes/retry';
import type { GraphNode } from '@/server/workflow/definition/graph';
import type { NodeState, RunningNode } from '../store/state';
import {
  currentAttemptStart,
  appendEndedAttempt,
  toFailedState,
  resumeDataForRetry,
  toRetryState,
  toStartedState,
  toWaitingState,
} from '../store/transitions';

/** A node's failure that is passed to the loop or run around it. */
export interface UncaughtFailure {
  error: RunError;
  isRetriable: boolean;
}

export interface FinishedAttempt {
  state: NodeState;
  /** The output as it is stored. */
  json: string | null;
  /** The resume data of the state as stored; null: unchanged. */
  resumeJson: string | null;
  /** Set: no node handles the error, so the loop or run around it fails. */
  failure: UncaughtFailure | null;
  /** A warning for the log. */
  warning: string | null;
}

const formatSeconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

const finishWithoutFailure = (state: NodeState, json: string | null, resumeJson: string | null): FinishedAttempt => ({
  state,
  json,
  resumeJson,
  failure: null,
  warning: null,
});

/**
 * The state of a node after an attempt: completed, waiting, looping, to be retried, or failed with or without its
 * `error` port. An output with more than `largest` characters is a large one.
 */
export function finishAttempt(
  node: GraphNode,
  path: string,
  previous: NodeState | undefined,
  outcome: Exclude<AttemptOutcome, { kind: 'stored' }>,
  largest: number,
): FinishedAttempt {
  const now = new Date();
  const started = toStartedState(path, previous, now);
  switch (outcome.kind) {
    case 'done': {
      const { port, value, json, trace, shares, origins, resumeJson = null } = outcome;
      const state: NodeState = {
        status: 'completed',
        path,
        attemptNumber: started.attemptNumber,
        attempts: appendEndedAttempt(started, null, now, trace),
        startedAt: started.startedAt,
        resumeData: started.resumeData,
        port: shares ? null : port,
        ...(shares && { shares }),
        ...(origins && { origins }),
        output: value,
        largeBytes: json.length > largest ? json.length : null,
        isOffloaded: false,
        completedAt: now,
      };
      return finishWithoutFailure(state, json, resumeJson);
    }
    case 'wait': {
      const { resumeData = started.resumeData, resumeJson, until, forDecision } = outcome;
      const state: NodeState = forDecision
        ? { ...started, status: 'waiting', reason: 'decision', resumeData, wakeAt: until }
        : toWaitingState(started, resumeData, until);
      return finishWithoutFailure(state, null, resumeJson);
    }
    case 'rounds': {
      const { timeoutMs } = node.definition;
      const wakeAt = timeoutMs === undefined ? null : new Date(currentAttemptStart(started).getTime() + timeoutMs);
      return finishWithoutFailure(toWaitingState(started, outcome.resumeData, wakeAt), null, outcome.resumeJson);
    }
    default:
      return failAttempt(node, started, outcome, now);
  }
}

function failAttempt(node: GraphNode, started: RunningNode, outcome: FailedOutcome, now: Date): FinishedAttempt {
  const { code, message, retryAfterMs, nodeId = started.path, expression, parameters, trace } = outcome;
  const isRetriable = outcome.isRetriable && node.definition.repeatable !== false;
  const error = { code, message, nodeId, ...(expression && { expression }), ...(parameters && { parameters }) };
  const attempts = appendEndedAttempt(started, error, now, trace);
  // A loop of parts is not retried: each of its parts is.
  const retry = resolveRetry(node.rounds ? undefined : node.definition.retry);
  const { maxAttempts } = retry;
  if (isRetriable && started.attemptNumber < maxAttempts) {
    const waitMs = retryDelayMs(started.attemptNumber, retry, retryAfterMs);
    const warning = `Try ${started.attemptNumber} of ${maxAttempts} failed: ${message} The next one is in ${formatSeconds(waitMs)}.`;
    // A retry starts from the beginning, but a loop keeps its items, so that finished rounds are reused.
    const isKept = resumeDataForRetry(started.resumeData) === started.resumeData;
    const state = toRetryState({ ...started, attempts }, error, new Date(now.getTime() + waitMs));
    return { state, json: null, resumeJson: isKept ? null : 'null', failure: null, warning };
  }
  const keepsFailure = node.part?.keepsFailure?.(code) === true || (node.itemOf && node.itemOf.onError !== 'fail');
  const isCaught = node.outgoing.some(({ port }) => port === 'error') || keepsFailure === true;
  const state = toFailedState(started, { error, attempts, completedAt: now, port: isCaught ? 'error' : null });
  return { state, json: null, resumeJson: null, failure: isCaught ? null : { error, isRetriable }, warning: null };
}
