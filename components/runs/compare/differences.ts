import type { NodeResult } from '@/contract/execution';
import type { LiveRun } from '../live';
import { sortByStart } from '../live';
import { listValueChanges } from './value-changes';

export type ResultPart = 'status' | 'input' | 'output' | 'error';

/** The results of a node in two runs. */
export interface ResultDifference {
  nodeId: string;
  before: NodeResult | undefined;
  after: NodeResult | undefined;
  /** The parts that differ. */
  changedParts: ResultPart[];
}

const comparableJson = (value: unknown) => JSON.stringify(value) ?? '';

/** Whether two values differ; the order of fields does not count. */
export const isDifferentJson = (one: unknown, other: unknown): boolean =>
  comparableJson(one) !== comparableJson(other) && listValueChanges(one, other).changes.length > 0;

/** Omitted data can only be compared by size. */
const omittedSize = (result: NodeResult | undefined, part: ResultPart) =>
  part === 'input' || part === 'output' ? result?.omittedBytes?.[part] : undefined;

/** Every node of two runs, in the order of the later run, with its differences. */
export function compareRunResults(before: LiveRun, after: LiveRun): ResultDifference[] {
  const [one, other] = [before, after].map(
    ({ nodeResults }) => new Map(sortByStart(nodeResults).map((result) => [result.nodeId, result])),
  );
  const ids = [...new Set([...(other?.keys() ?? []), ...(one?.keys() ?? [])])];
  return ids.map((nodeId) => {
    const [a, b] = [one?.get(nodeId), other?.get(nodeId)];
    const changedParts = (['status', 'output', 'error', 'input'] as const).filter(
      (part) => omittedSize(a, part) !== omittedSize(b, part) || isDifferentJson(a?.[part], b?.[part]),
    );
    return { nodeId, before: a, after: b, changedParts };
  });
}
