import type { Retry } from '@/contract/workflow';
import type { RunError } from '@/contract/execution';
import type { Visited } from './attempt';
import type { GraphNode } from './graph';
import { begun, roundsOf, triedAt, triesOf, type NodeState } from './state';

const MAX_BACKOFF_MS = 300_000;
const ONCE: Retry = { maxAttempts: 1, backoffMs: 1000 };

/** A node's failure for the loop or run around it. */
export interface Failure {
  error: RunError;
  isRetriable: boolean;
}

export interface Settlement {
  state: NodeState;
  /** The output as it is to be stored. */
  json: string | null;
  /** What it holds, as it is to be stored; null: as before. */
  heldJson: string | null;
  /** Set: nobody takes care of the node's error, so what it is part of fails. */
  failure: Failure | null;
  /** Something for the log. */
  warning: string | null;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/**
 * What a visit makes of a node: done, waiting, to be tried again, or failed, by the `error` port or for good. An output
 * of more than `largest` characters is a large one.
 */
export function settle(
  node: GraphNode,
  path: string,
  known: NodeState | undefined,
  visited: Visited,
  largest: number,
): Settlement {
  const { timeoutMs, retry = ONCE, repeatable = true } = node.node;
  const now = new Date();
  const state = begun(path, known, now);

  if (visited.kind === 'done') {
    const { port, value, json, trace } = visited;
    state.status = 'completed';
    state.port = port;
    state.output = value;
    state.largeBytes = json.length > largest ? json.length : null;
    state.completedAt = now;
    state.tries = triesOf(state, null, now, trace);
    return { state, json, heldJson: null, failure: null, warning: null };
  }
  if (visited.kind === 'wait') {
    const { held = null, until, forDecision } = visited;
    if (forDecision) state.status = 'paused';
    state.wakeAt = until;
    state.held = held ?? state.held;
    state.isWaiting = true;
    return { state, json: null, heldJson: held && JSON.stringify(held), failure: null, warning: null };
  }
  if (visited.kind === 'rounds') {
    const { heldJson, held } = visited;
    state.wakeAt = timeoutMs === undefined ? null : new Date(triedAt(state).getTime() + timeoutMs);
    state.held = held;
    state.isWaiting = true;
    return { state, json: null, heldJson, failure: null, warning: null };
  }

  const { code, message, retryAfterMs, nodeId = path, expression, trace } = visited;
  const isRetriable = visited.isRetriable && repeatable;
  const error = { code, message, nodeId, ...(expression && { expression }) };
  state.tries = triesOf(state, error, now, trace);
  state.error = error;
  const { maxAttempts, backoffMs } = Object.assign({}, ONCE, retry);
  if (isRetriable && state.attempts < maxAttempts) {
    const backoff = Math.min(backoffMs * 2 ** (state.attempts - 1), MAX_BACKOFF_MS);
    const waitMs = Math.max(backoff, Math.min(retryAfterMs, MAX_BACKOFF_MS));
    const warning = `Try ${state.attempts} of ${maxAttempts} failed: ${message} The next one is in ${seconds(waitMs)}.`;
    // The next try begins from nothing; but a loop keeps its items, so that rounds which are over stand.
    const isKept = state.held === null || roundsOf(state) !== undefined;
    if (!isKept) state.held = null;
    state.wakeAt = new Date(now.getTime() + waitMs);
    state.isWaiting = true;
    return { state, json: null, heldJson: isKept ? null : 'null', failure: null, warning };
  }
  const isCaught = node.outgoing.some(({ port }) => port === 'error');
  state.status = 'failed';
  state.port = isCaught ? 'error' : null;
  state.completedAt = now;
  return { state, json: null, heldJson: null, failure: isCaught ? null : { error, isRetriable }, warning: null };
}
