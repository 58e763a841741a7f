import type { RunError, NodeAttempt } from '@/contract/execution';
import type { AttemptTrace } from './trace';
import { awaitsRetry } from './state';
import type {
  FailedNode,
  LoopResumeData,
  LoopingNode,
  NodeHistory,
  NodeState,
  ResumeData,
  RunningNode,
  WaitingNode,
} from './state';

/** The number of the next attempt: an interrupted attempt is repeated, one after a failure is counted. */
export function nextAttemptNumber(previous: NodeState | undefined): number {
  if (!previous) return 1;
  return awaitsRetry(previous) ? previous.attemptNumber + 1 : previous.attemptNumber;
}

const EMPTY_ATTEMPTS: readonly NodeAttempt[] = [];

/** When the current attempt of a node began. */
export function currentAttemptStart({ attemptNumber, attempts, startedAt }: NodeState): Date {
  const current = attempts.at(-1);
  return current?.attempt === attemptNumber ? new Date(current.startedAt) : startedAt;
}

/**
 * The time since when a node has waited for the event that runs it again; undefined: it has not begun, or begins anew.
 */
export const nodeWaitingSince = (previous: NodeState | undefined): Date | undefined =>
  previous && (previous.status === 'looping' || (previous.status === 'waiting' && previous.reason !== 'retry'))
    ? currentAttemptStart(previous)
    : undefined;

/** A node's attempts at the end of the current one. A node that succeeds at the first attempt has none. */
export function appendEndedAttempt(
  state: NodeState,
  error: RunError | null,
  endedAt: Date,
  trace: AttemptTrace = {},
): readonly NodeAttempt[] {
  if (!error && state.attempts.length === 0) return EMPTY_ATTEMPTS;
  const before = state.attempts.filter(({ attempt }) => attempt < state.attemptNumber);
  if (!error && before.length === 0) return EMPTY_ATTEMPTS;
  const startedAt = currentAttemptStart(state).toISOString();
  return [...before, { attempt: state.attemptNumber, startedAt, completedAt: endedAt.toISOString(), error, ...trace }];
}

/** The state of a node whose attempt starts. */
export const toStartedState = (path: string, previous: NodeState | undefined, now = new Date()): RunningNode => ({
  status: 'running',
  path,
  attemptNumber: nextAttemptNumber(previous),
  attempts: awaitsRetry(previous)
    ? [...previous.attempts, { attempt: previous.attemptNumber + 1, startedAt: new Date().toISOString(), error: null }]
    : (previous?.attempts ?? EMPTY_ATTEMPTS),
  startedAt: previous?.startedAt ?? now,
  resumeData: previous?.resumeData ?? null,
});

/**
 * The state of a node without an attempt in flight that is not finished: what it continues from says what it waits for.
 */
export function toWaitingState(
  { path, attemptNumber, attempts, startedAt }: NodeHistory,
  resumeData: ResumeData | null,
  wakeAt: Date | null,
): WaitingNode | LoopingNode {
  const history = { path, attemptNumber, attempts, startedAt };
  if (!resumeData) return { ...history, status: 'waiting', reason: 'time', resumeData, wakeAt };
  switch (resumeData.kind) {
    case 'child':
      return { ...history, status: 'waiting', reason: 'child', resumeData, wakeAt };
    case 'call':
      return { ...history, status: 'waiting', reason: 'call', resumeData, wakeAt };
    case 'decision':
      return { ...history, status: 'waiting', reason: 'decision', resumeData, wakeAt };
    default:
      return { ...history, status: 'looping', resumeData, wakeAt };
  }
}

/** The state of a node that is attempted again at `wakeAt`, because of an error. */
export const toRetryState = (state: NodeHistory, error: RunError, wakeAt: Date | null): WaitingNode => ({
  status: 'waiting',
  reason: 'retry',
  path: state.path,
  attemptNumber: state.attemptNumber,
  attempts: state.attempts,
  startedAt: state.startedAt,
  resumeData: resumeDataForRetry(state.resumeData),
  error,
  wakeAt,
});

/** The state of a node that has failed. `port` null: no node handles the error. */
export const toFailedState = (
  state: NodeHistory,
  failure: { error: RunError; attempts: readonly NodeAttempt[]; completedAt: Date; port: string | null },
): FailedNode => ({
  status: 'failed',
  path: state.path,
  attemptNumber: state.attemptNumber,
  startedAt: state.startedAt,
  resumeData: state.resumeData,
  ...failure,
});

const isLoopResumeData = (data: ResumeData | null): data is LoopResumeData =>
  data !== null && (data.kind === 'items' || data.kind === 'offloaded_items' || data.kind === 'progress');

/** What a node keeps when its attempt is retried. */
export const resumeDataForRetry = (data: ResumeData | null): LoopResumeData | null =>
  isLoopResumeData(data) ? data : null;
