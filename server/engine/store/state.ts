import type { Asked, NodeStatus, RunError, Try } from '@/contract/execution';
import type { Repetition, Waiting } from '@/server/nodes/node';
import { isSettled } from '../run/plan';
import { isLeafAt, possibleLeaves, type Graph, type GraphNode } from '@/server/workflow/graph';
import type { Trace } from '../attempt/trace';

/** The state of one node of a run: a row of `node_result` in memory. A settled state never changes. */
export interface NodeState {
  /** The node's path in the run: its id, inside rounds of loops `loop[3].inner`. */
  path: string;
  status: Exclude<NodeStatus, 'pending' | 'skipped'>;
  port: string | null;
  attempts: number;
  /** Its tries, the current one last; empty until one has failed. */
  tries: Try[];
  output: unknown;
  error: RunError | null;
  startedAt: Date;
  completedAt: Date | null;
  /** When a retry, delay or expiry is due. */
  wakeAt: Date | null;
  /** Data to resume from: a loop's items or progress, the child run that it waits for, or the request for a decision. */
  held: Held | null;
  /** Characters of its output's JSON, if the output is large. */
  largeBytes: number | null;
  /** Its output is large, stored, and not in memory; it is loaded when it is read. */
  isAway: boolean;
  /** True: the node waits; no attempt is in flight. */
  isWaiting: boolean;
}

/** The items of a loop. */
export interface Items {
  items: unknown[];
  concurrency: number;
}

/** The large items of a loop, which are stored and not in memory. */
export interface ItemsAway {
  count: number;
  concurrency: number;
  /** Characters of their JSON. */
  bytes: number;
}

/** The rounds of a loop. */
export interface Rounds {
  /** For a loop that decides after each round: the rounds that have begun. */
  count: number;
  concurrency: number;
  /** Undefined: they are not in memory, or the loop has none. */
  items: unknown[] | undefined;
  /** Set for a loop that decides after each round. */
  repetition?: Repetition;
}

export type Held = Items | ItemsAway | Repetition | Waiting;

export function roundsOf(state: NodeState | undefined): Rounds | undefined {
  const held = state?.held;
  if (!held) return undefined;
  if ('items' in held) return { count: held.items.length, ...held };
  if ('round' in held) return { count: held.round + 1, concurrency: 1, items: undefined, repetition: held };
  return 'count' in held ? { items: undefined, ...held } : undefined;
}

/** The characters of a loop's items if they are not in memory; otherwise null. */
export const itemsAwayOf = (state: NodeState | undefined): number | null =>
  state?.held && 'count' in state.held ? state.held.bytes : null;

/** The index of the current round of a loop that decides after each round; null: the node is none. */
export const roundOf = ({ held }: NodeState): number | null => (held && 'round' in held ? held.round : null);

/** The child run that a node started and waits for. */
export const childOf = (state: NodeState | undefined): string | undefined =>
  state?.held && 'childId' in state.held ? state.held.childId : undefined;

/** True for a node that waits for a call. */
export const awaitsCall = ({ held, isWaiting }: NodeState): boolean =>
  isWaiting && held !== null && 'awaitsCall' in held;

/** The request of an approval. */
export const askedOf = ({ held, status, wakeAt }: NodeState): Asked | undefined =>
  held && 'message' in held
    ? { ...held, expiresAt: status === 'paused' ? wakeAt?.toISOString() : undefined }
    : undefined;

/** A row of `node_result`; times are dates or texts. */
export interface StateRow {
  node_id: string;
  status: NodeState['status'];
  port: string | null;
  attempts: number;
  tries: Try[] | null;
  output: unknown;
  error: RunError | null;
  started_at: Date | string | null;
  completed_at: Date | string | null;
  wake_at: Date | string | null;
  held: Held | null;
  large_bytes?: number | null;
  /** The output was omitted. */
  is_away?: boolean;
}

/** A stored state that this release cannot read. */
export class UnreadableState extends Error {}

function requireReadable(isReadable: boolean, row: StateRow, field: string): void {
  if (!isReadable)
    throw new UnreadableState(`${field} of the result of ${row.node_id} is not what this release writes`);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value has the shape of `Held`. Its fields are the service's own; what users wrote is inside of them. */
function isHeld(held: unknown): held is Held {
  if (!isObject(held)) return false;
  if ('items' in held) return Array.isArray(held.items) && 'concurrency' in held && Number.isInteger(held.concurrency);
  if ('count' in held) return Number.isInteger(held.count);
  if ('round' in held) return Number.isInteger(held.round);
  if ('childId' in held) return typeof held.childId === 'string';
  return 'message' in held ? typeof held.message === 'string' : 'awaitsCall' in held;
}

/** A time; null is not read. */
function timeOf(value: Date | string | null, row: StateRow, field: string): Date | null {
  if (value === null) return null;
  const time = new Date(value);
  requireReadable(!Number.isNaN(time.getTime()), row, field);
  return time;
}

/** Throws UnreadableState. */
export function stateOf(row: StateRow): NodeState {
  requireReadable(row.held === null || isHeld(row.held), row, 'What is held');
  requireReadable(row.tries === null || Array.isArray(row.tries), row, 'The list of tries');
  requireReadable(row.error === null || isObject(row.error), row, 'The error');
  return {
    path: row.node_id,
    status: row.status,
    port: row.port,
    attempts: row.attempts,
    tries: row.tries ?? [],
    output: row.output,
    error: row.error,
    startedAt: timeOf(row.started_at, row, 'The start') ?? new Date(0),
    completedAt: timeOf(row.completed_at, row, 'The end'),
    wakeAt: timeOf(row.wake_at, row, 'The wake time'),
    held: row.held,
    largeBytes: row.large_bytes ?? null,
    isAway: row.is_away === true,
    // Running with nothing to wait for: its worker was lost, and it has to run again.
    isWaiting: row.status === 'paused' || (row.status === 'running' && (row.wake_at !== null || row.held !== null)),
  };
}

export type States = ReadonlyMap<string, NodeState>;
/** Read access by path. */
export type StateReader = Pick<States, 'get'>;

/** The value that a settled node passes on: `nodes.<id>` in expressions. */
export const valueOf = (state: NodeState): unknown =>
  state.port === 'error' && state.error
    ? { message: state.error.message, code: state.error.code, nodeId: state.error.nodeId }
    : state.output;

/** The input of a node: the delivered output; of several, an object keyed by sender. */
export function inputOf(node: GraphNode, states: StateReader, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && isSettled(state) && state.port === port ? [[source.id, valueOf(state)] as const] : [];
  });
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/** What the output of a graph depends on, of a node's state. */
type LeafState = Pick<NodeState, 'port' | 'output'> & { status: string };

/** The nodes whose outputs make up the output of a graph, with these outputs. */
export const completedLeaves = (
  graph: Graph,
  states: { get(path: string): LeafState | undefined },
  prefix = '',
): [node: GraphNode, output: unknown][] =>
  possibleLeaves(graph).flatMap((node): [GraphNode, unknown][] => {
    const state = states.get(prefix + node.id);
    if (state?.status !== 'completed') return [];
    return graph.output.kind === 'node' || isLeafAt(node, state.port) ? [[node, state.output]] : [];
  });

type Leaves = ReturnType<typeof completedLeaves>;

/** Whether the output of these leaves is that of the first one, and not an object by their ids. */
const isOnlyLeaf = ({ output }: Graph, leaves: Leaves): boolean =>
  leaves.length === 1 && (output.kind === 'node' || output.isSingle);

/** The node whose output is that of the graph; undefined: there is none, or it is made of several. */
export function onlyLeaf(graph: Graph, states: Parameters<typeof completedLeaves>[1]): GraphNode | undefined {
  const leaves = completedLeaves(graph, states);
  return isOnlyLeaf(graph, leaves) ? leaves[0]?.[0] : undefined;
}

/** The output of a run or of a round: that of its only leaf, those of several completed leaves by node, or null. */
export function outputOf(graph: Graph, states: Parameters<typeof completedLeaves>[1], prefix = ''): unknown {
  const leaves = completedLeaves(graph, states, prefix);
  const [only] = leaves;
  if (!only) return null;
  return isOnlyLeaf(graph, leaves)
    ? (only[1] ?? null)
    : Object.fromEntries(leaves.map(([{ id }, output]) => [id, output]));
}

export const isWakeDue = (state: NodeState | undefined): boolean =>
  (state?.wakeAt?.getTime() ?? Infinity) <= Date.now();
export const isOver = (state: NodeState | undefined): boolean => state !== undefined && isSettled(state);

/** The number of the next try: an interrupted try is repeated, a try after a failure is counted. */
export const attemptOf = (previous: NodeState | undefined): number =>
  previous ? (isToBeRetried(previous) ? previous.attempts + 1 : previous.attempts) : 1;

/** True between two tries. */
export const isToBeRetried = ({ isWaiting, error }: NodeState): boolean => isWaiting && error !== null;

const tryOf = (attempt: number): Try => ({ attempt, startedAt: new Date().toISOString(), error: null });

/** When its current try began. */
export const triedAt = ({ attempts, tries, startedAt }: NodeState): Date => {
  const current = tries.at(-1);
  return current?.attempt === attempts ? new Date(current.startedAt) : startedAt;
};

/** A node's tries at the end of the current one. A node that succeeds at the first try has none. */
export function triesOf(state: NodeState, error: RunError | null, endedAt: Date, trace: Trace = {}): Try[] {
  const before = state.tries.filter(({ attempt }) => attempt < state.attempts);
  if (!error && before.length === 0) return [];
  const startedAt = triedAt(state).toISOString();
  return [...before, { attempt: state.attempts, startedAt, completedAt: endedAt.toISOString(), error, ...trace }];
}

/** The state of a node whose attempt starts. */
export const startedState = (path: string, previous: NodeState | undefined, now = new Date()): NodeState => ({
  path,
  status: 'running',
  port: null,
  attempts: attemptOf(previous),
  tries:
    previous && isToBeRetried(previous) ? [...previous.tries, tryOf(previous.attempts + 1)] : (previous?.tries ?? []),
  output: null,
  error: null,
  startedAt: previous?.startedAt ?? now,
  completedAt: null,
  wakeAt: null,
  held: previous?.held ?? null,
  largeBytes: null,
  isAway: false,
  isWaiting: false,
});
