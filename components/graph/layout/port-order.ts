import type { Graph } from '@dagrejs/dagre';

/** Height of a port within its card: from 0, the first output, to below 1, the error output. */
export type PortHeight = (edgeName: string | undefined) => number;

interface Item {
  id: string;
  order: number;
  rank: number;
  /** Items of different groups keep their order. */
  group: string;
  /** It is a card, not a bend of a long edge. */
  hasPorts: boolean;
}

const SWEEPS = 12;

/**
 * Reorders the items of each rank so that fewer edges cross, ports included: dagre knows no ports, so that it may put
 * the node of the second output above that of the first. Exchanges neighbours as long as it helps (transpose step of
 * Gansner et al., 1993).
 */
export function orderByPorts(graph: Graph, heightOf: PortHeight): void {
  const items = new Map(graph.nodes().flatMap((id) => itemOf(graph, id)));
  const ranks: Item[][] = [];
  for (const item of items.values()) (ranks[item.rank] ??= []).push(item);
  for (const rank of ranks) rank?.sort((a, b) => a.order - b.order);
  const sourcesOf = (id: string) =>
    (graph.inEdges(id) ?? []).map(({ v, name }) => {
      const source = items.get(v);
      return (source?.order ?? 0) + (source?.hasPorts ? heightOf(name) : 0);
    });
  const targetsOf = (id: string) => (graph.outEdges(id) ?? []).map(({ w }) => items.get(w)?.order ?? 0);

  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    let isBetter = false;
    for (const rank of ranks)
      for (let at = 1; at < (rank?.length ?? 0); at += 1) {
        const [upper, lower] = [rank[at - 1], rank[at]];
        if (!upper || !lower || upper.group !== lower.group || !canMove(upper) || !canMove(lower)) continue;
        const [upperBefore, lowerBefore] = [sourcesOf(upper.id), sourcesOf(lower.id)];
        const [upperAfter, lowerAfter] = [targetsOf(upper.id), targetsOf(lower.id)];
        const before = crossings(upperBefore, lowerBefore) - crossings(lowerBefore, upperBefore);
        const after = crossings(upperAfter, lowerAfter) - crossings(lowerAfter, upperAfter);
        // A crossing that moves on to the next rank can be undone there.
        if (before + after < 0 || (before + after === 0 && before <= 0)) continue;
        isBetter = true;
        [rank[at - 1], rank[at]] = [lower, upper];
        [upper.order, lower.order] = [lower.order, upper.order];
      }
    if (!isBetter) break;
  }
  for (const { id, order } of items.values()) (graph.node(id) as { order: number }).order = order;
}

const BORDER = 'border';
const canMove = ({ group }: Item) => group !== BORDER;

function itemOf(graph: Graph, id: string): [string, Item][] {
  const { order, rank, dummy } = graph.node(id) as { order?: number; rank?: number; dummy?: string };
  if (order === undefined || rank === undefined) return [];
  const group = dummy?.startsWith('border') ? BORDER : (graph.parent(id) ?? '');
  return [[id, { id, order, rank, group: String(group), hasPorts: dummy === undefined }]];
}

/** Crossings of the edges of two items, the upper one first, given where they end on the other side. */
const crossings = (upper: number[], lower: number[]): number =>
  upper.reduce((sum, one) => sum + lower.filter((other) => other < one).length, 0);
