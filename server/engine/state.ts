import type { Asked, NodeStatus, RunError, Try } from '@/contract/execution';
import type { Waiting } from '../nodes/node';
import { isSettled } from './plan';
import type { Graph, GraphNode } from './graph';
import type { Trace } from './trace';

/** What is known of one node of a run: a row of `node_result` in memory. A settled one never changes. */
export interface NodeState {
  /** The node's path in the run: its id, inside for_each rounds `loop[3].inner`. */
  path: string;
  status: Exclude<NodeStatus, 'pending' | 'skipped'>;
  port: string | null;
  attempts: number;
  /** Its tries, the present one last; empty as long as none has failed. */
  tries: Try[];
  output: unknown;
  error: RunError | null;
  startedAt: Date;
  completedAt: Date | null;
  /** When a retry, delay or expiry is due. */
  wakeAt: Date | null;
  /** What it must find again: a loop's rounds, the run that it waits for, who may decide. */
  held: Held | null;
  /** Characters of its output's JSON, if they are many. */
  largeBytes: number | null;
  /** Its output is large and stored; here it is missing until somebody needs it. */
  isAway: boolean;
  /** True: it waits, nothing of it is under way. */
  isWaiting: boolean;
}

/** The items of a loop. */
export interface Items {
  items: unknown[];
  concurrency: number;
}

/** The items of a loop that are stored and not here, for they are large. */
export interface ItemsAway {
  count: number;
  concurrency: number;
  /** Characters of their JSON. */
  bytes: number;
}

/** The rounds of a loop. */
export interface Rounds {
  count: number;
  concurrency: number;
  /** Undefined: they are away. */
  items: unknown[] | undefined;
}

export type Held = Items | ItemsAway | Waiting;

export function roundsOf(state: NodeState | undefined): Rounds | undefined {
  const held = state?.held;
  if (!held) return undefined;
  if ('items' in held) return { count: held.items.length, ...held };
  return 'count' in held ? { items: undefined, ...held } : undefined;
}

/** The characters of a loop's items that are away. */
export const itemsAwayOf = (state: NodeState | undefined): number | null =>
  state?.held && 'count' in state.held ? state.held.bytes : null;

/** The run that a node started and waited for. */
export const childOf = (state: NodeState | undefined): string | undefined =>
  state?.held && 'childId' in state.held ? state.held.childId : undefined;

/** What an approval asks of whom. */
export const askedOf = ({ held, status, wakeAt }: NodeState): Asked | undefined =>
  held && 'message' in held
    ? { ...held, expiresAt: status === 'paused' ? wakeAt?.toISOString() : undefined }
    : undefined;

/** A row of `node_result`, its times as dates or as texts. */
export interface StateRow {
  node_id: string;
  status: NodeState['status'];
  port: string | null;
  attempts: number;
  tries: Try[] | null;
  output: unknown;
  error: RunError | null;
  started_at: Date | string;
  completed_at: Date | string | null;
  wake_at: Date | string | null;
  held: Held | null;
  large_bytes?: number | null;
  /** The output was left out. */
  is_away?: boolean;
}

export const stateOf = (row: StateRow): NodeState => ({
  path: row.node_id,
  status: row.status,
  port: row.port,
  attempts: row.attempts,
  tries: row.tries ?? [],
  output: row.output,
  error: row.error,
  startedAt: new Date(row.started_at),
  completedAt: row.completed_at === null ? null : new Date(row.completed_at),
  wakeAt: row.wake_at === null ? null : new Date(row.wake_at),
  held: row.held,
  largeBytes: row.large_bytes ?? null,
  isAway: row.is_away === true,
  // Under way with nothing to wait for: its worker was lost, and it has to run again.
  isWaiting: row.status === 'paused' || (row.status === 'running' && (row.wake_at !== null || row.held !== null)),
});

export type States = ReadonlyMap<string, NodeState>;
/** As much of them as reading takes. */
export type Looked = Pick<States, 'get'>;

/** What a settled node hands on, and what `nodes.<id>` is in expressions. */
export const valueOf = (state: NodeState): unknown =>
  state.port === 'error' && state.error
    ? { message: state.error.message, code: state.error.code, nodeId: state.error.nodeId }
    : state.output;

/** What comes in at a node: the one delivered output, or, of several, an object keyed by their senders. */
export function inputOf(node: GraphNode, states: Looked, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && isSettled(state) && state.port === port ? [[source.id, valueOf(state)] as const] : [];
  });
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/** What a run comes to: the one leaf's output, or those of all leaves that completed, by node. */
export function outputOf(graph: Graph, states: Looked, prefix = ''): unknown {
  const outputs = graph.leaves.flatMap(({ id }) => {
    const state = states.get(prefix + id);
    return state?.status === 'completed' ? [[id, state.output] as const] : [];
  });
  if (graph.leaves.length === 1) return outputs[0]?.[1] ?? null;
  return Object.fromEntries(outputs);
}

export const isPast = (state: NodeState | undefined): boolean => (state?.wakeAt?.getTime() ?? Infinity) <= Date.now();
export const isOver = (state: NodeState | undefined): boolean => state !== undefined && isSettled(state);

/** The number of the try that comes now: one that was interrupted is made again, one after a failure counts on. */
export const attemptOf = (known: NodeState | undefined): number =>
  known ? (isToBeRetried(known) ? known.attempts + 1 : known.attempts) : 1;

/** True between two tries. */
export const isToBeRetried = ({ isWaiting, error }: NodeState): boolean => isWaiting && error !== null;

const tryOf = (attempt: number): Try => ({ attempt, startedAt: new Date().toISOString(), error: null });

/** When its present try began. */
export const triedAt = ({ attempts, tries, startedAt }: NodeState): Date => {
  const present = tries.at(-1);
  return present?.attempt === attempts ? new Date(present.startedAt) : startedAt;
};

/** A node's tries at the end of the present one. One that succeeds at once leaves none. */
export function triesOf(state: NodeState, error: RunError | null, endedAt: Date, trace: Trace = {}): Try[] {
  const before = state.tries.filter(({ attempt }) => attempt < state.attempts);
  if (!error && before.length === 0) return [];
  const startedAt = triedAt(state).toISOString();
  return [...before, { attempt: state.attempts, startedAt, completedAt: endedAt.toISOString(), error, ...trace }];
}

/** A node that is being visited. */
export const begun = (path: string, known: NodeState | undefined, now = new Date()): NodeState => ({
  path,
  status: 'running',
  port: null,
  attempts: attemptOf(known),
  tries: known && isToBeRetried(known) ? [...known.tries, tryOf(known.attempts + 1)] : (known?.tries ?? []),
  output: null,
  error: null,
  startedAt: known?.startedAt ?? now,
  completedAt: null,
  wakeAt: null,
  held: known?.held ?? null,
  largeBytes: null,
  isAway: false,
  isWaiting: false,
});
