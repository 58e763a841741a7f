import type { NodeResult } from '@/contract/execution';
import { drawnNodeId } from '@/components/graph/drawn';
import type { ReadCanvasRounds } from './useCanvasRounds';

const NO_RESULTS: ReadonlyMap<string, NodeResult> = new Map();

/**
 * The results of all drawn nodes, in the chosen rounds. `paths`: of the drawn definitions, `depth`: the length of that of
 * the outermost one.
 */
export function mergeDrawnResults(
  paths: readonly (readonly string[])[],
  depth: number,
  readRounds: ReadCanvasRounds | undefined,
): ReadonlyMap<string, NodeResult> {
  if (!readRounds) return NO_RESULTS;
  const [only] = paths;
  if (paths.length === 1 && only) return readRounds(only).results;
  return new Map(
    paths.flatMap((at) =>
      [...readRounds(at).results].map(([id, result]) => [drawnNodeId(at.slice(depth), id), result] as const),
    ),
  );
}
