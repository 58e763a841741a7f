import type { NodeConnection } from '@/contract/workflows/workflow';
import type { NodeLink } from '../node-links';
import { connectNodes } from './connect-nodes';
import type { ItemNodes } from './item-conversion';

/** The connections inside of pieces and between them, for links in the order in which n8n delivers what they carry. */
export function connectPieces(pieces: ReadonlyMap<string, ItemNodes>, links: readonly NodeLink[]): NodeConnection[] {
  const inner = [...pieces.values()].flatMap((one) => one.connections);
  const between = links.flatMap(({ from, output, to, input }) => {
    const [source, target] = [pieces.get(from), pieces.get(to)];
    // n8n reads nothing of what comes in beyond the inputs that a merge has.
    const targetNode = target?.entries.length === 1 ? target.entries[0] : target?.entries[input];
    if (targetNode === undefined) return [];
    return (source?.outputs[output] ?? []).map(({ node, port }) => connectNodes(node, targetNode, port));
  });
  const all = [...inner, ...between];
  return [...new Map(all.map((one) => [Object.values(one).join('\n'), one])).values()];
}
