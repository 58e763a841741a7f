import type { RunError } from '@/contract/execution';
import type { AttemptOutcome } from '../attempt/outcome';
import { retryOf, waitAfter } from '@/server/nodes/retry';
import type { GraphNode } from '@/server/workflow/graph';
import { startedState, roundsOf, triedAt, triesOf, type NodeState } from '../store/state';

/** A node's failure that is passed to the loop or run around it. */
export interface Failure {
  error: RunError;
  isRetriable: boolean;
}

export interface Settlement {
  state: NodeState;
  /** The output as stored. */
  json: string | null;
  /** `held` of the state as stored; null: unchanged. */
  heldJson: string | null;
  /** Set: no node handles the error, so the loop or run around it fails. */
  failure: Failure | null;
  /** A warning for the log. */
  warning: string | null;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/**
 * The state of a node after an attempt: completed, waiting, to be retried, or failed with or without its `error` port.
 * An output with more than `largest` characters is a large one.
 */
export function settle(
  node: GraphNode,
  path: string,
  previous: NodeState | undefined,
  outcome: Exclude<AttemptOutcome, { kind: 'stored' }>,
  largest: number,
): Settlement {
  const { timeoutMs, repeatable = true } = node.node;
  const now = new Date();
  const state = startedState(path, previous, now);

  if (outcome.kind === 'done') {
    const { port, value, json, trace } = outcome;
    state.status = 'completed';
    state.port = port;
    state.output = value;
    state.largeBytes = json.length > largest ? json.length : null;
    state.completedAt = now;
    state.tries = triesOf(state, null, now, trace);
    return { state, json, heldJson: null, failure: null, warning: null };
  }
  if (outcome.kind === 'wait') {
    const { held = null, until, forDecision } = outcome;
    if (forDecision) state.status = 'paused';
    state.wakeAt = until;
    state.held = held ?? state.held;
    state.isWaiting = true;
    return { state, json: null, heldJson: held && JSON.stringify(held), failure: null, warning: null };
  }
  if (outcome.kind === 'rounds') {
    const { heldJson, held } = outcome;
    state.wakeAt = timeoutMs === undefined ? null : new Date(triedAt(state).getTime() + timeoutMs);
    state.held = held;
    state.isWaiting = true;
    return { state, json: null, heldJson, failure: null, warning: null };
  }

  const { code, message, retryAfterMs, nodeId = path, expression, trace } = outcome;
  const isRetriable = outcome.isRetriable && repeatable;
  const error = { code, message, nodeId, ...(expression && { expression }) };
  state.tries = triesOf(state, error, now, trace);
  state.error = error;
  // The parts of a loop are retried, each by itself.
  const retry = retryOf(node.rounds ? undefined : node.node.retry);
  const { maxAttempts } = retry;
  if (isRetriable && state.attempts < maxAttempts) {
    const waitMs = waitAfter(state.attempts, retry, retryAfterMs);
    const warning = `Try ${state.attempts} of ${maxAttempts} failed: ${message} The next one is in ${seconds(waitMs)}.`;
    // A retry starts from the beginning, but a loop keeps its items, so that finished rounds are reused.
    const isKept = state.held === null || roundsOf(state) !== undefined;
    if (!isKept) state.held = null;
    state.wakeAt = new Date(now.getTime() + waitMs);
    state.isWaiting = true;
    return { state, json: null, heldJson: isKept ? null : 'null', failure: null, warning };
  }
  const isCaught = node.outgoing.some(({ port }) => port === 'error') || node.part?.keepsFailure?.(code) === true;
  state.status = 'failed';
  state.port = isCaught ? 'error' : null;
  state.completedAt = now;
  return { state, json: null, heldJson: null, failure: isCaught ? null : { error, isRetriable }, warning: null };
}
