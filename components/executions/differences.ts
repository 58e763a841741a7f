import type { NodeResult } from '@/contract/execution';
import type { Run } from './live';
import { inOrder } from './live';

/** How a node fared in two runs. */
export interface Difference {
  nodeId: string;
  left: NodeResult | undefined;
  right: NodeResult | undefined;
  /** What is not the same of it. */
  of: ('status' | 'input' | 'output' | 'error')[];
}

const text = (value: unknown) => JSON.stringify(value) ?? '';

/** Of what was left out for its size, that is all there is to compare. */
const sizeOf = (result: NodeResult | undefined, part: string) =>
  part === 'input' || part === 'output' ? result?.omittedBytes?.[part] : undefined;

/** Every node of either run, in the order of the first one, and how the two differ there. */
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
