import { isLeafAt, possibleLeaves, type Graph, type GraphNode } from '@/server/workflow/graph';
import type { Asked, RunError, Try } from '@/contract/execution';
import type { Repetition } from '@/server/nodes/node';

/** The items of a loop. */
export interface LoopItems {
  kind: 'items';
  items: unknown[];
  concurrency: number;
}

/** The large items of a loop, which are stored and not in memory. */
export interface OffloadedItems {
  kind: 'offloaded_items';
  count: number;
  concurrency: number;
  /** Characters of their JSON. */
  bytes: number;
}

/** Where a loop stands that decides after each round. */
export interface LoopProgress {
  kind: 'progress';
  progress: Repetition;
}

export type LoopData = LoopItems | OffloadedItems | LoopProgress;

/** The child run that a node started. */
export interface StartedChild {
  kind: 'child';
  childId: string;
}

/** The question that people are asked to decide. */
export interface DecisionRequest {
  kind: 'decision';
  asked: Omit<Asked, 'expiresAt'>;
}

/** The node expects a call. */
export interface ExpectedCall {
  kind: 'call';
}

/** What a node continues from when it runs again. It stays with a finished node, for those who read the run. */
export type ResumeData = LoopData | StartedChild | DecisionRequest | ExpectedCall;

/** What every state of a node has. A row of `node_result` in memory. */
export interface NodeHistory {
  /** The node's path in the run: its id, inside rounds of loops `loop[3].inner`. */
  path: string;
  /** The number of its current or last attempt. */
  attemptNumber: number;
  /** Its attempts, the current one last; empty until one has failed. */
  attempts: readonly Try[];
  startedAt: Date;
  resumeData: ResumeData | null;
}

/** An attempt is in flight, or was when its worker was lost. */
export interface RunningNode extends NodeHistory {
  status: 'running';
}

interface Waiting extends NodeHistory {
  status: 'waiting';
  /** When a retry, delay or expiry is due; null: never. */
  wakeAt: Date | null;
}

interface WaitingForTime extends Waiting {
  reason: 'time';
}

/** Its last attempt has failed. A retry begins anew, but a loop keeps its rounds. */
interface WaitingForRetry extends Waiting {
  reason: 'retry';
  error: RunError;
  resumeData: LoopData | null;
}

interface WaitingForChild extends Waiting {
  reason: 'child';
  resumeData: StartedChild;
}

interface WaitingForCall extends Waiting {
  reason: 'call';
  resumeData: ExpectedCall;
}

interface WaitingForDecision extends Waiting {
  reason: 'decision';
}

/** No attempt is in flight. */
export type WaitingNode = WaitingForTime | WaitingForRetry | WaitingForChild | WaitingForCall | WaitingForDecision;

/** A loop with rounds that are not finished, or that it has not judged. */
export interface LoopingNode extends NodeHistory {
  status: 'looping';
  resumeData: LoopData;
  /** When the loop times out; null: never. */
  wakeAt: Date | null;
}

export interface CompletedNode extends NodeHistory {
  status: 'completed';
  /** The port that its output takes. */
  port: string | null;
  output: unknown;
  /** Characters of its output's JSON, if the output is large. */
  largeBytes: number | null;
  /** Its output is large, stored, and not in memory; it is loaded when it is read. */
  isOffloaded: boolean;
  completedAt: Date;
}

export interface FailedNode extends NodeHistory {
  status: 'failed';
  /** Null: no node handles the error. */
  port: string | null;
  error: RunError | null;
  completedAt: Date;
}

export type FinishedNode = CompletedNode | FailedNode;

/** The state of one node of a run. That of a finished node never changes. */
export type NodeState = RunningNode | WaitingNode | LoopingNode | FinishedNode;

export type States = ReadonlyMap<string, NodeState>;
/** Read access by path. */
export type StateReader = Pick<States, 'get'>;

/** The part of a node's state that determines how the run continues. */
export type Standing =
  | Pick<FinishedNode, 'status' | 'port'>
  | { status: Exclude<NodeState['status'], 'completed' | 'failed'> };

type Finished<State extends Standing> = Extract<State, Pick<FinishedNode, 'status' | 'port'>>;

export const isFinished = <State extends Standing>(state: State | undefined): state is Finished<State> =>
  state !== undefined && (state.status === 'completed' || state.status === 'failed');

/** Whether the output of a node leaves by a port. Every question about taken ports is asked here and in `takenPort`. */
export const takesPort = (state: Standing | undefined, port: string): boolean =>
  state !== undefined && isFinished(state) && state.port === port;

/** The port by which the output of a node leaves; null: none, no node follows. */
export const takenPort = (state: Standing): string | null => (isFinished(state) ? state.port : null);

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

export function loopRounds(state: NodeState | undefined): Rounds | undefined {
  const data = state?.resumeData;
  switch (data?.kind) {
    case 'items':
      return { count: data.items.length, concurrency: data.concurrency, items: data.items };
    case 'offloaded_items':
      return { count: data.count, concurrency: data.concurrency, items: undefined };
    case 'progress':
      return { count: data.progress.round + 1, concurrency: 1, items: undefined, repetition: data.progress };
    default:
      return undefined;
  }
}

/** The characters of a loop's items if they are not in memory; otherwise null. */
export const offloadedItemBytes = (state: NodeState | undefined): number | null =>
  state?.resumeData?.kind === 'offloaded_items' ? state.resumeData.bytes : null;

/** The child run that a node started. */
export const startedChildId = (state: NodeState | undefined): string | undefined =>
  state?.resumeData?.kind === 'child' ? state.resumeData.childId : undefined;

/** The characters of a large output; null: there is no output, or it is small. */
export const largeBytes = (state: NodeState | undefined): number | null =>
  state?.status === 'completed' ? state.largeBytes : null;

/** The output of the node is stored and not in memory. */
export const isOffloaded = (state: NodeState | undefined): boolean =>
  state?.status === 'completed' && state.isOffloaded;

/** When a node that waits, or a loop, is due; null: never. */
export const wakeTime = (state: NodeState | undefined): Date | null =>
  state?.status === 'waiting' || state?.status === 'looping' ? state.wakeAt : null;

export const isWakeDue = (state: NodeState | undefined): boolean =>
  (wakeTime(state)?.getTime() ?? Infinity) <= Date.now();

/** The error of a node that has failed, or whose last attempt has. */
export function nodeError(state: NodeState): RunError | null {
  if (state.status === 'failed') return state.error;
  return state.status === 'waiting' && state.reason === 'retry' ? state.error : null;
}

/** True for a node that waits until people have decided. */
export const awaitsDecision = (state: NodeState | undefined): boolean =>
  state?.status === 'waiting' && state.reason === 'decision';

/** True between two attempts. */
export const awaitsRetry = (state: NodeState | undefined): state is WaitingForRetry =>
  state?.status === 'waiting' && state.reason === 'retry';

/** The value that a finished node passes on: `nodes.<id>` in expressions. */
export function passedValue(state: NodeState): unknown {
  if (state.status === 'completed') return state.output;
  if (state.status !== 'failed' || state.port !== 'error' || !state.error) return null;
  const { message, code, nodeId } = state.error;
  return { message, code, nodeId };
}

/** The input of a node: the delivered output; of several, an object keyed by sender. */
export function deliveredInput(node: GraphNode, states: StateReader, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesPort(state, port) ? [[source.id, passedValue(state)] as const] : [];
  });
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/** What the output of a graph depends on, of a node's state. */
type LeafState =
  | Pick<CompletedNode, 'status' | 'port' | 'output'>
  | { status: Exclude<NodeState['status'], 'completed'> };

interface LeafReader {
  get(path: string): LeafState | undefined;
}

type Leaf = [node: GraphNode, output: unknown];

/** The nodes whose outputs make up the output of a graph, with these outputs. */
function completedLeaves(graph: Graph, states: LeafReader, prefix = ''): Leaf[] {
  return possibleLeaves(graph).flatMap((node): Leaf[] => {
    const state = states.get(prefix + node.id);
    if (state?.status !== 'completed') return [];
    return graph.output.kind === 'node' || isLeafAt(node, state.port) ? [[node, state.output]] : [];
  });
}

/** Whether the output of these leaves is that of the first one, and not an object by their ids. */
const isOnlyLeaf = ({ output }: Graph, leaves: Leaf[]): boolean =>
  leaves.length === 1 && (output.kind === 'node' || output.isSingle);

/** The node whose output is that of the graph; undefined: there is none, or it is made of several. */
export function onlyLeaf(graph: Graph, states: LeafReader): GraphNode | undefined {
  const leaves = completedLeaves(graph, states);
  return isOnlyLeaf(graph, leaves) ? leaves[0]?.[0] : undefined;
}

/** The output of a run or of a round: that of its only leaf, those of several completed leaves by node, or null. */
export function graphOutput(graph: Graph, states: LeafReader, prefix = ''): unknown {
  const leaves = completedLeaves(graph, states, prefix);
  const [only] = leaves;
  if (!only) return null;
  return isOnlyLeaf(graph, leaves)
    ? (only[1] ?? null)
    : Object.fromEntries(leaves.map(([{ id }, output]) => [id, output]));
}
