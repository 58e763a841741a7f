import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Piece } from './conversion';
import type { N8nNode } from './file';
import { linksBy, type Link } from './order';
import { shortType } from './starts/starts';

/** A loop until a condition holds: nodes one behind another, and an `if` behind them that leads back to the first. */
export interface Until {
  /** The ids of its nodes in order, without the `if`. */
  body: readonly string[];
  /** The output of the `if` that leads back. */
  back: number;
}

const MAX_BODY = 50;
/** Types that may end a round early, or have loops of their own. */
const OTHERS = new Set(['if', 'switch', 'filter', 'splitInBatches']);

/** The loops of this shape, by the ids of their `if`. All other circles are none of them. */
export function untilsOf(
  ids: readonly string[],
  links: readonly Link[],
  nodes: ReadonlyMap<string, N8nNode>,
  isTaken: (id: string) => boolean,
): Map<string, Until> {
  const [outgoing, incoming] = [linksBy(links, 'from'), linksBy(links, 'to')];
  const own = new Set(ids);
  const used = new Set<string>();
  const isFree = (id: string) => own.has(id) && !used.has(id) && !isTaken(id);
  const isStep = (id: string) => {
    const node = nodes.get(id);
    return isFree(id) && node !== undefined && !OTHERS.has(shortType(node.type)) && node.onError !== 'output';
  };
  /** The nodes from the first to the one before the `if`; undefined: they do not stand in one line. */
  const lineTo = (end: string, first: string): string[] | undefined => {
    const line: string[] = [];
    for (let at = end; at !== first;) {
      const [link, other] = incoming.get(at) ?? [];
      if (!link || other || link.output !== 0 || !isStep(link.from) || line.length >= MAX_BODY) return undefined;
      if (line.includes(link.from) || outgoing.get(link.from)?.length !== 1) return undefined;
      line.unshift(link.from);
      at = link.from;
    }
    const begins = (incoming.get(first) ?? []).filter(({ from }) => from !== end);
    return begins.length > 0 && begins.every(({ from, input }) => input === 0 && !line.includes(from))
      ? line
      : undefined;
  };
  const found = new Map<string, Until>();
  for (const id of ids) {
    const node = nodes.get(id);
    if (!node || shortType(node.type) !== 'if' || node.isDisabled || !isFree(id)) continue;
    for (const back of [0, 1]) {
      const [link, other] = (outgoing.get(id) ?? []).filter(({ output }) => output === back);
      const body = link && !other && link.to !== id ? lineTo(id, link.to) : undefined;
      if (!body || body.length === 0 || found.has(id)) continue;
      found.set(id, { body, back });
      for (const one of [id, ...body]) used.add(one);
    }
  }
  return found;
}

/** The links around the loops: what led to the first node of one leads to its `if`, which stands for the whole loop. */
export function aroundUntils(links: readonly Link[], untils: ReadonlyMap<string, Until>): Link[] {
  const owners = new Map([...untils].flatMap(([id, { body }]) => body.map((one) => [one, id] as const)));
  return links.flatMap((link): Link[] => {
    if (owners.has(link.from) || untils.get(link.from)?.back === link.output) return [];
    const owner = owners.get(link.to);
    return [owner === undefined ? link : { ...link, to: owner }];
  });
}

/** The definition of a round with one more node at its end. */
export function withEnd(definition: Definition, last: Piece | undefined, end: Node): Definition {
  const [output] = last?.outputs ?? [];
  const ports = output ? [output.port, ...(output.also ?? [])] : [];
  const connections = ports.map((sourcePort) => ({
    sourceNode: output?.node ?? '',
    sourcePort,
    targetNode: end.id,
    targetPort: 'input',
  }));
  return {
    ...definition,
    nodes: [...definition.nodes, end],
    connections: [...definition.connections, ...connections],
  };
}
