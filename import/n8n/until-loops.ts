import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { ConvertedNodes } from './conversion';
import type { N8nNode } from './file';
import { groupLinksByEnd, type NodeLink } from './node-links';
import { shortNodeType } from './starts/convert-trigger';

/** A loop until a condition holds: nodes one behind another, and an `if` behind them that leads back to the first. */
export interface UntilLoop {
  /** The ids of its nodes in order, without the `if`. */
  body: readonly string[];
  /** The output of the `if` that leads back. */
  back: number;
}

const MAX_UNTIL_BODY = 50;
/** Types that may end a round early, or have loops of their own. */
const ROUND_BREAKING_TYPES = new Set(['if', 'switch', 'filter', 'splitInBatches']);

/** The loops of this shape, by the ids of their `if`. All other circles are none of them. */
export function findUntilLoops(
  ids: readonly string[],
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
  isTaken: (id: string) => boolean,
): Map<string, UntilLoop> {
  const [outgoing, incoming] = [groupLinksByEnd(links, 'from'), groupLinksByEnd(links, 'to')];
  const own = new Set(ids);
  const used = new Set<string>();
  const isFree = (id: string) => own.has(id) && !used.has(id) && !isTaken(id);
  const isStep = (id: string) => {
    const node = nodes.get(id);
    return (
      isFree(id) &&
      node !== undefined &&
      !ROUND_BREAKING_TYPES.has(shortNodeType(node.type)) &&
      node.onError !== 'output'
    );
  };
  /** The nodes from the first to the one before the `if`; undefined: they do not stand in one line. */
  const lineTo = (end: string, first: string): string[] | undefined => {
    const line: string[] = [];
    for (let at = end; at !== first;) {
      const [link, other] = incoming.get(at) ?? [];
      if (!link || other || link.output !== 0 || !isStep(link.from) || line.length >= MAX_UNTIL_BODY) return undefined;
      if (line.includes(link.from) || outgoing.get(link.from)?.length !== 1) return undefined;
      line.unshift(link.from);
      at = link.from;
    }
    const begins = (incoming.get(first) ?? []).filter(({ from }) => from !== end);
    return begins.length > 0 && begins.every(({ from, input }) => input === 0 && !line.includes(from))
      ? line
      : undefined;
  };
  const found = new Map<string, UntilLoop>();
  for (const id of ids) {
    const node = nodes.get(id);
    if (!node || shortNodeType(node.type) !== 'if' || node.isDisabled || !isFree(id)) continue;
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
export function linksAroundLoops(links: readonly NodeLink[], untils: ReadonlyMap<string, UntilLoop>): NodeLink[] {
  const owners = new Map([...untils].flatMap(([id, { body }]) => body.map((one) => [one, id] as const)));
  return links.flatMap((link): NodeLink[] => {
    if (owners.has(link.from) || untils.get(link.from)?.back === link.output) return [];
    const owner = owners.get(link.to);
    return [owner === undefined ? link : { ...link, to: owner }];
  });
}

/** The definition of a round with one more node at its end. */
export function appendEndNode(
  definition: WorkflowDefinition,
  last: ConvertedNodes | undefined,
  end: WorkflowNode,
): WorkflowDefinition {
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
