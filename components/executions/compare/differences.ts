import type { NodeResult } from '@/contract/execution';
import type { Run } from '../live';
import { inOrder } from '../live';
import { changesOf } from './value-changes';

export type Part = 'status' | 'input' | 'output' | 'error';

/** The results of a node in two runs. */
export interface Difference {
  nodeId: string;
  before: NodeResult | undefined;
  after: NodeResult | undefined;
  /** The parts that differ. */
  of: Part[];
}

const text = (value: unknown) => JSON.stringify(value) ?? '';

/** Whether two values differ; the order of fields does not count. */
export const isDifferent = (one: unknown, other: unknown): boolean =>
  text(one) !== text(other) && changesOf(one, other).changes.length > 0;

/** Omitted data can only be compared by size. */
const sizeOf = (result: NodeResult | undefined, part: Part) =>
  part === 'input' || part === 'output' ? result?.omittedBytes?.[part] : undefined;

/** Every node of two runs, in the order of the later run, with its differences. */
export function differences(before: Run, after: Run): Difference[] {
  const [one, other] = [before, after].map(
    ({ nodeResults }) => new Map(inOrder(nodeResults).map((result) => [result.nodeId, result])),
  );
  const ids = [...new Set([...(other?.keys() ?? []), ...(one?.keys() ?? [])])];
  return ids.map((nodeId) => {
    const [a, b] = [one?.get(nodeId), other?.get(nodeId)];
    const of = (['status', 'output', 'error', 'input'] as const).filter(
      (part) => sizeOf(a, part) !== sizeOf(b, part) || isDifferent(a?.[part], b?.[part]),
    );
    return { nodeId, before: a, after: b, of };
  });
}
