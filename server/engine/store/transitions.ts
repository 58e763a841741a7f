import type { RunError, Try } from '@/contract/execution';
import type { Trace } from './trace';
import { awaitsRetry } from './state';
import type {
  FailedNode,
  LoopData,
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

const NO_ATTEMPTS: readonly Try[] = [];

/** When the current attempt of a node began. */
export function attemptStart({ attemptNumber, attempts, startedAt }: NodeState): Date {
  const current = attempts.at(-1);
  return current?.attempt === attemptNumber ? new Date(current.startedAt) : startedAt;
}

/** Since when a node has waited for what runs it again; undefined: it has not begun, or begins anew. */
export const waitingSince = (previous: NodeState | undefined): Date | undefined =>
  previous && (previous.status === 'looping' || (previous.status === 'waiting' && previous.reason !== 'retry'))
    ? attemptStart(previous)
    : undefined;

/** A node's attempts at the end of the current one. A node that succeeds at the first attempt has none. */
export function endedAttempts(
  state: NodeState,
  error: RunError | null,
  endedAt: Date,
  trace: Trace = {},
): readonly Try[] {
  if (!error && state.attempts.length === 0) return NO_ATTEMPTS;
  const before = state.attempts.filter(({ attempt }) => attempt < state.attemptNumber);
  if (!error && before.length === 0) return NO_ATTEMPTS;
  const startedAt = attemptStart(state).toISOString();
  return [...before, { attempt: state.attemptNumber, startedAt, completedAt: endedAt.toISOString(), error, ...trace }];
}

/** The state of a node whose attempt starts. */
export const startedState = (path: string, previous: NodeState | undefined, now = new Date()): RunningNode => ({
  status: 'running',
  path,
  attemptNumber: nextAttemptNumber(previous),
  attempts: awaitsRetry(previous)
    ? [...previous.attempts, { attempt: previous.attemptNumber + 1, startedAt: new Date().toISOString(), error: null }]
    : (previous?.attempts ?? NO_ATTEMPTS),
  startedAt: previous?.startedAt ?? now,
  resumeData: previous?.resumeData ?? null,
});

/** The state of a node without an attempt in flight that is not finished: what it continues from says what it waits for. */
export function waitingState(
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
export const retryState = (state: NodeHistory, error: RunError, wakeAt: Date | null): WaitingNode => ({
  status: 'waiting',
  reason: 'retry',
  path: state.path,
  attemptNumber: state.attemptNumber,
  attempts: state.attempts,
  startedAt: state.startedAt,
  resumeData: keptForRetry(state.resumeData),
  error,
  wakeAt,
});

/** The state of a node that has failed. `port` null: no node handles the error. */
export const failedState = (
  state: NodeHistory,
  failure: { error: RunError; attempts: readonly Try[]; completedAt: Date; port: string | null },
): FailedNode => ({
  status: 'failed',
  path: state.path,
  attemptNumber: state.attemptNumber,
  startedAt: state.startedAt,
  resumeData: state.resumeData,
  ...failure,
});

const isLoopData = (data: ResumeData | null): data is LoopData =>
  data !== null && (data.kind === 'items' || data.kind === 'offloaded_items' || data.kind === 'progress');

/** What a node keeps when its attempt is retried. */
export const keptForRetry = (data: ResumeData | null): LoopData | null => (isLoopData(data) ? data : null);
