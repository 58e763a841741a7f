import type { RunError } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';

/** The result of a finished node of a round. `output` is undefined while it is not in memory. */
export interface RoundNodeResult {
  status: 'completed' | 'failed';
  port: string | null;
  output: unknown;
  error: RunError | null;
}

/** The data that a part can read: the input of its loop, and results of its round and of the one before. */
export interface LoopRoundView {
  /** The index of the round. */
  index: number;
  /** The id of the node that reads. */
  id: string;
  /** The input of the loop. */
  readonly input: unknown;
  /** With `back` 1 the result is that of the round before. */
  result(id: string, back?: 0 | 1): RoundNodeResult | undefined;
}

/** A node, with its `Kind`, from which a loop without an inner definition makes nodes of its rounds. */
export interface LoopPart<Kind> {
  node: WorkflowNode;
  nodeType: Kind;
  /** The input of a node. Also called to learn which results it reads, before those are in memory. */
  input(view: LoopRoundView): unknown;
  /** Whether a failure with this code is a result like others. By default it fails the loop. */
  keepsFailure?(code: string): boolean;
  /** Its output stays in memory, because it decides what follows in its round. */
  isKept?: true;
}

/** A node of a round. `after`: it waits for this port of another node of the round. */
export interface PlannedRoundNode {
  id: string;
  /** The id of its part. */
  part: string;
  after?: { id: string; port: string };
}

/** Describes how the rounds of a loop consist of parts. */
export interface LoopParts<Kind> {
  parts: LoopPart<Kind>[];
  /** The node whose output is the output of a round. */
  result: string;
  /**
   * The nodes of a round, as far as they follow from its results. Asked again when all of them have finished, until it
   * names no others.
   */
  round(index: number, resultOf: (id: string) => RoundNodeResult | undefined): PlannedRoundNode[];
}

/** The id of the node that is made from a part as the `number`th of a round: `search`, `search#2`. */
export const numberedNodeId = (part: string, number: number): string => (number === 1 ? part : `${part}#${number}`);

/** The part of a node of a round: `search#2` and `search#2.approval` are made from `search` and `search.approval`. */
export const partOfNodeId = (id: string): string => id.replace(/#\d+/, '');
