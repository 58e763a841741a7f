import type { RunError } from '@/contract/execution';
import type { Visited } from './attempt';
import type { GraphNode } from './graph';
import type { NodeState } from './state';

const MAX_BACKOFF_MS = 300_000;

export interface Settlement {
  state: NodeState;
  /** The output as it is to be stored. */
  json: string | null;
  /** Set: nobody takes care of the node's error, so the run fails. */
  failure: RunError | null;
  /** Something for the log. */
  warning: string | null;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** What a visit makes of a node: done, waiting, to be tried again, or failed, by the `error` port or for good. */
export function settle(node: GraphNode, path: string, known: NodeState | undefined, visited: Visited): Settlement {
  const now = new Date();
  const isRetry = known?.isWaiting === true && known.error !== null;
  const state: NodeState = {
    path,
    status: 'running',
    port: null,
    attempts: (known?.attempts ?? 1) + (isRetry ? 1 : 0),
    output: null,
    error: null,
    startedAt: known?.startedAt ?? now,
    completedAt: null,
    wakeAt: null,
    isWaiting: false,
  };
  const settled = { json: null, failure: null, warning: null };

  if (visited.kind === 'done') {
    const { port, value, json } = visited;
    return { ...settled, json, state: { ...state, status: 'completed', port, output: value, completedAt: now } };
  }
  if (visited.kind === 'wait') {
    const status = visited.forDecision ? 'paused' : 'running';
    return { ...settled, state: { ...state, status, wakeAt: visited.until, isWaiting: true } };
  }

  const { code, message, isRetriable, retryAfterMs } = visited;
  const error = { code, message, nodeId: path };
  const { maxAttempts = 1, backoffMs = 1000 } = node.node.retry ?? {};
  if (isRetriable && state.attempts < maxAttempts) {
    const backoff = Math.min(backoffMs * 2 ** (state.attempts - 1), MAX_BACKOFF_MS);
    const waitMs = Math.max(backoff, Math.min(retryAfterMs, MAX_BACKOFF_MS));
    const warning = `Try ${state.attempts} of ${maxAttempts} failed: ${message} The next one is in ${seconds(waitMs)}.`;
    return {
      ...settled,
      warning,
      state: { ...state, error, wakeAt: new Date(now.getTime() + waitMs), isWaiting: true },
    };
  }
  const isCaught = node.outgoing.some(({ port }) => port === 'error');
  const failed: NodeState = { ...state, status: 'failed', port: isCaught ? 'error' : null, error, completedAt: now };
  return { ...settled, state: failed, failure: isCaught ? null : error };
}
