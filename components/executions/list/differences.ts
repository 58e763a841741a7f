import type { NodeResult } from '@/contract/execution';
import type { Run } from '../live';
import { inOrder } from '../live';

/** The results of a node in two runs. */
export interface Difference {
  nodeId: string;
  left: NodeResult | undefined;
  right: NodeResult | undefined;
  /** The parts that differ. */
  of: ('status' | 'input' | 'output' | 'error')[];
}

const text = (value: unknown) => JSON.stringify(value) ?? '';

/** Omitted data can only be compared by size. */
const sizeOf = (result: NodeResult | undefined, part: string) =>
  part === 'input' || part === 'output' ? result?.omittedBytes?.[part] : undefined;

/** Every node of both runs, in the order of the first run, with its differences. */
export function differences(left: Run, right: Run): Difference[] {
  const [one, other] = [left, right].map(
    ({ nodeResults }) => new Map(inOrder(nodeResults).map((result) => [result.nodeId, result])),
  );
  const ids = [...new Set([...(one?.keys() ?? []), ...(other?.keys() ?? [])])];
  return ids.map((nodeId) => {
    const [a, b] = [one?.get(nodeId), other?.get(nodeId)];
    const of = (['status', 'input', 'output', 'error'] as const).filter(
      (part) => text(a?.[part]) !== text(b?.[part]) || sizeOf(a, part) !== sizeOf(b, part),
    );
    return { nodeId, left: a, right: b, of };
  });
}
