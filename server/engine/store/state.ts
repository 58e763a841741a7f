import { isLeafAtPort, possibleLeaves, type WorkflowGraph, type GraphNode } from '@/server/workflow/definition/graph';
import type { RunError, NodeAttempt } from '@/contract/execution';
import type { ApprovalPrompt } from '@/contract/approval';
import type { LoopRepetition } from '@/server/workflow/nodes/node-type';

/** The items of a loop. */
export interface LoopItemsData {
  kind: 'items';
  items: unknown[];
  concurrency: number;
}

/** The large items of a loop, which are stored and not in memory. */
export interface OffloadedItemsData {
  kind: 'offloaded_items';
  count: number;
  concurrency: number;
  /** Characters of their JSON. */
  bytes: number;
}

/** The progress of a loop that decides after each round. */
export interface RepetitionData {
  kind: 'progress';
  progress: LoopRepetition;
}

export type LoopResumeData = LoopItemsData | OffloadedItemsData | RepetitionData;

/** The child run that a node started. */
export interface StartedChild {
  kind: 'child';
  childId: string;
}

/** The question that people are asked to decide. */
export interface DecisionResumeData {
  kind: 'decision';
  asked: Omit<ApprovalPrompt, 'expiresAt'>;
}

/** The node expects a call. */
export interface ExpectedCall {
  kind: 'call';
}

/** What a node continues from when it runs again. A finished node keeps it, so that readers of the run see it. */
export type ResumeData = LoopResumeData | StartedChild | DecisionResumeData | ExpectedCall;

/** The fields that every state of a node has: a row of `node_result` in memory. */
export interface NodeHistory {
  /** The node's path in the run: its id, inside rounds of loops `loop[3].inner`. */
  path: string;
  /** The number of its current or last attempt. */
  attemptNumber: number;
  /** Its attempts, the current one last; empty until one has failed. */
  attempts: readonly NodeAttempt[];
  startedAt: Date;
  resumeData: ResumeData | null;
}

/** An attempt is in flight, or was when its worker was lost. */
export interface RunningNode extends NodeHistory {
  status: 'running';
}

interface WaitingNodeBase extends NodeHistory {
  status: 'waiting';
  /** When a retry, delay or expiry is due; null: never. */
  wakeAt: Date | null;
}

interface TimeWaitingNode extends WaitingNodeBase {
  reason: 'time';
}

/** Its last attempt has failed. A retry begins anew, but a loop keeps its rounds. */
interface RetryWaitingNode extends WaitingNodeBase {
  reason: 'retry';
  error: RunError;
  resumeData: LoopResumeData | null;
}

interface ChildWaitingNode extends WaitingNodeBase {
  reason: 'child';
  resumeData: StartedChild;
}

interface CallWaitingNode extends WaitingNodeBase {
  reason: 'call';
  resumeData: ExpectedCall;
}

interface DecisionWaitingNode extends WaitingNodeBase {
  reason: 'decision';
}

/** No attempt is in flight. */
export type WaitingNode = TimeWaitingNode | RetryWaitingNode | ChildWaitingNode | CallWaitingNode | DecisionWaitingNode;

/** A loop with rounds that are not finished, or that it has not judged. */
export interface LoopingNode extends NodeHistory {
  status: 'looping';
  resumeData: LoopResumeData;
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

export type NodeStates = ReadonlyMap<string, NodeState>;
/** Read access by path. */
export type NodeStateReader = Pick<NodeStates, 'get'>;

/** The part of a node's state that determines how the run continues. */
export type NodeRouteState =
  | Pick<FinishedNode, 'status' | 'port'>
  | { status: Exclude<NodeState['status'], 'completed' | 'failed'> };

type FinishedRouteState<State extends NodeRouteState> = Extract<State, Pick<FinishedNode, 'status' | 'port'>>;

export const isNodeFinished = <State extends NodeRouteState>(
  state: State | undefined,
): state is FinishedRouteState<State> =>
  state !== undefined && (state.status === 'completed' || state.status === 'failed');

/**
 * Whether the output of a node leaves by this port. Only this function and `takenOutputPort` decide about taken ports.
 */
export const takesOutputPort = (state: NodeRouteState | undefined, port: string): boolean =>
  state !== undefined && isNodeFinished(state) && state.port === port;

/** The port by which the output of a node leaves; null: none, no node follows. */
export const takenOutputPort = (state: NodeRouteState): string | null => (isNodeFinished(state) ? state.port : null);

/** The rounds of a loop. */
export interface LoopRoundSet {
  /** For a loop that decides after each round: the rounds that have begun. */
  count: number;
  concurrency: number;
  /** Undefined: they are not in memory, or the loop has none. */
  items: unknown[] | undefined;
  /** Set for a loop that decides after each round. */
  repetition?: LoopRepetition;
}

export function readLoopRounds(state: NodeState | undefined): LoopRoundSet | undefined {
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
export const largeOutputBytes = (state: NodeState | undefined): number | null =>
  state?.status === 'completed' ? state.largeBytes : null;

/** The output of the node is stored and not in memory. */
export const isOutputOffloaded = (state: NodeState | undefined): boolean =>
  state?.status === 'completed' && state.isOffloaded;

/** When a node that waits, or a loop, is due; null: never. */
export const nodeWakeTime = (state: NodeState | undefined): Date | null =>
  state?.status === 'waiting' || state?.status === 'looping' ? state.wakeAt : null;

export const isNodeWakeDue = (state: NodeState | undefined): boolean =>
  (nodeWakeTime(state)?.getTime() ?? Infinity) <= Date.now();

/** The error of a node that has failed, or whose last attempt has. */
export function currentNodeError(state: NodeState): RunError | null {
  if (state.status === 'failed') return state.error;
  return state.status === 'waiting' && state.reason === 'retry' ? state.error : null;
}

/** True for a node that waits until people have decided. */
export const awaitsDecision = (state: NodeState | undefined): boolean =>
  state?.status === 'waiting' && state.reason === 'decision';

/** True between two attempts. */
export const awaitsRetry = (state: NodeState | undefined): state is RetryWaitingNode =>
  state?.status === 'waiting' && state.reason === 'retry';

/** The value that a finished node passes on: `nodes.<id>` in expressions. */
export function finishedNodeValue(state: NodeState): unknown {
  if (state.status === 'completed') return state.output;
  if (state.status !== 'failed' || state.port !== 'error' || !state.error) return null;
  const { message, code, nodeId } = state.error;
  return { message, code, nodeId };
}

/** The input of a node: the delivered output; of several, an object keyed by sender. */
export function buildDeliveredInput(node: GraphNode, states: NodeStateReader, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesOutputPort(state, port) ? [[source.id, finishedNodeValue(state)] as const] : [];
  });
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/** The part of a node's state on which the output of a graph depends. */
type LeafNodeState =
  | Pick<CompletedNode, 'status' | 'port' | 'output'>
  | { status: Exclude<NodeState['status'], 'completed'> };

interface LeafStateReader {
  get(path: string): LeafNodeState | undefined;
}

type CompletedLeaf = [node: GraphNode, output: unknown];

/** The nodes whose outputs make up the output of a graph, with these outputs. */
function completedLeaves(graph: WorkflowGraph, states: LeafStateReader, prefix = ''): CompletedLeaf[] {
  return possibleLeaves(graph).flatMap((node): CompletedLeaf[] => {
    const state = states.get(prefix + node.id);
    if (state?.status !== 'completed') return [];
    return graph.output.kind === 'node' || isLeafAtPort(node, state.port) ? [[node, state.output]] : [];
  });
}

/** Whether the output of these leaves is that of the first one, and not an object by their ids. */
const isSingleLeafOutput = ({ output }: WorkflowGraph, leaves: CompletedLeaf[]): boolean =>
  leaves.length === 1 && (output.kind === 'node' || output.isSingle);

/** The node whose output is that of the graph; undefined: there is none, or it is made of several. */
export function findOnlyLeaf(graph: WorkflowGraph, states: LeafStateReader): GraphNode | undefined {
  const leaves = completedLeaves(graph, states);
  return isSingleLeafOutput(graph, leaves) ? leaves[0]?.[0] : undefined;
}

/** The output of a run or of a round: that of its only leaf, those of several completed leaves by node, or null. */
export function buildGraphOutput(graph: WorkflowGraph, states: LeafStateReader, prefix = ''): unknown {
  const leaves = completedLeaves(graph, states, prefix);
  const [only] = leaves;
  if (!only) return null;
  return isSingleLeafOutput(graph, leaves)
    ? (only[1] ?? null)
    : Object.fromEntries(leaves.map(([{ id }, output]) => [id, output]));
}
