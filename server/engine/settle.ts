import type { Retry } from '@/contract/workflow';
import type { RunError } from '@/contract/execution';
import type { Visited } from './attempt';
import type { GraphNode } from './graph';
import { LARGE } from './large';
import { begun, type NodeState } from './state';

const MAX_BACKOFF_MS = 300_000;
const ONCE: Retry = { maxAttempts: 1, backoffMs: 1000 };

export interface Settlement {
  state: NodeState;
  /** The output as it is to be stored. */
  json: string | null;
  /** What it holds, as it is to be stored; null: as before. */
  heldJson: string | null;
  /** Set: nobody takes care of the node's error, so the run fails. */
  failure: RunError | null;
  /** Something for the log. */
  warning: string | null;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** What a visit makes of a node: done, waiting, to be tried again, or failed, by the `error` port or for good. */
export function settle(node: GraphNode, path: string, known: NodeState | undefined, visited: Visited): Settlement {
  const { timeoutMs, retry = ONCE } = node.node;
  const now = new Date();
  const state = begun(path, known);
  const settled = { json: null, heldJson: null, failure: null, warning: null };

  if (visited.kind === 'done') {
    const { port, value, json } = visited;
    const largeBytes = json.length > LARGE ? json.length : null;
    return {
      ...settled,
      json,
      state: { ...state, status: 'completed', port, output: value, largeBytes, completedAt: now },
    };
  }
  if (visited.kind === 'wait') {
    const status = visited.forDecision ? 'paused' : 'running';
    const { held = null, until: wakeAt } = visited;
    const heldJson = held && JSON.stringify(held);
    return { ...settled, heldJson, state: { ...state, status, wakeAt, held: held ?? state.held, isWaiting: true } };
  }
  if (visited.kind === 'rounds') {
    const { heldJson, held } = visited;
    const wakeAt = timeoutMs === undefined ? null : new Date(state.startedAt.getTime() + timeoutMs);
    return { ...settled, heldJson, state: { ...state, wakeAt, held, isWaiting: true } };
  }

  const { code, message, isRetriable, retryAfterMs, nodeId = path } = visited;
  const error = { code, message, nodeId };
  const { maxAttempts, backoffMs } = { ...ONCE, ...retry };
  if (isRetriable && state.attempts < maxAttempts) {
    const backoff = Math.min(backoffMs * 2 ** (state.attempts - 1), MAX_BACKOFF_MS);
    const waitMs = Math.max(backoff, Math.min(retryAfterMs, MAX_BACKOFF_MS));
    const warning = `Try ${state.attempts} of ${maxAttempts} failed: ${message} The next one is in ${seconds(waitMs)}.`;
    return {
      ...settled,
      warning,
      // The next try begins from nothing.
      heldJson: state.held && 'null',
      state: { ...state, error, held: null, wakeAt: new Date(now.getTime() + waitMs), isWaiting: true },
    };
  }
  const isCaught = node.outgoing.some(({ port }) => port === 'error');
  const failed: NodeState = { ...state, status: 'failed', port: isCaught ? 'error' : null, error, completedAt: now };
  return { ...settled, state: failed, failure: isCaught ? null : error };
}
