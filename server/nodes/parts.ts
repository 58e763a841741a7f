import type { RunError } from '@/contract/execution';
import type { Node } from '@/contract/workflows/workflow';

/** A settled node of a round. `output`: undefined while it is not in memory. */
export interface PartResult {
  status: 'completed' | 'failed';
  port: string | null;
  output: unknown;
  error: RunError | null;
}

/** What a part can read: the input of its loop, and results of its round and of the one before. */
export interface RoundView {
  /** The index of the round. */
  index: number;
  /** The id of the node that reads. */
  id: string;
  /** The input of the loop. */
  readonly input: unknown;
  /** `back` 1: of the round before. */
  result(id: string, back?: 0 | 1): PartResult | undefined;
}

/** A node, with its `Kind`, from which a loop without an inner definition makes nodes of its rounds. */
export interface Part<Kind> {
  node: Node;
  kind: Kind;
  /** The input of a node. Also called to learn which results it reads, before those are in memory. */
  input(view: RoundView): unknown;
  /** Whether a failure with this code is a result like others. By default it fails the loop. */
  keepsFailure?(code: string): boolean;
  /** Its output stays in memory, because it decides what follows in its round. */
  isKept?: true;
}

/** A node of a round. `after`: it waits for this port of another node of the round. */
export interface RoundNode {
  id: string;
  /** The id of its part. */
  part: string;
  after?: { id: string; port: string };
}

/** How the rounds of a loop consist of parts. */
export interface Parts<Kind> {
  parts: Part<Kind>[];
  /** The node whose output is the output of a round. */
  result: string;
  /** The nodes of a round, as far as they follow from its results. Asked again when all of them have finished, until it names no others. */
  round(index: number, resultOf: (id: string) => PartResult | undefined): RoundNode[];
}

/** The id of the node that is made from a part as the `number`th of a round: `search`, `search#2`. */
export const numbered = (part: string, number: number): string => (number === 1 ? part : `${part}#${number}`);

/** The part of a node of a round: `search#2` and `search#2.approval` are made from `search` and `search.approval`. */
export const partIdOf = (id: string): string => id.replace(/#\d+/, '');
