import type { Definition } from '@/contract/workflows/workflow';
import type { Pins } from './pins';

/** Types whose output can't be replaced in a run: the pin of a start node is the input of the run. */
const UNPINNABLE = new Set(['start', 'approval']);

/**
 * The pins that a run uses: of nodes outside of loops that leave by their port `output`. A pin has no port, so the run
 * decides at nodes with several. Undefined: there are none.
 */
export function runPins({ nodes, connections }: Definition, pins: Pins): Record<string, unknown> | undefined {
  const branching = new Set(
    connections.flatMap(({ sourceNode, sourcePort }) =>
      sourcePort === 'output' || sourcePort === 'error' ? [] : [sourceNode],
    ),
  );
  const used = nodes.filter(({ id, type }) => id in pins && !UNPINNABLE.has(type) && !branching.has(id));
  return used.length > 0 ? Object.fromEntries(used.map(({ id }) => [id, pins[id]])) : undefined;
}
