import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed, type N8nNode } from '../../file';
import { listLinkOutputs, type NodeLink } from '../../node-links';
import type { ItemArrival } from '../arrivals/arrivals';
import type { NodeCircle } from './circles';
import type { ItemConversion, ItemLevel, ItemNodes } from '../item-conversion';
import { connectNodes } from '../connect-nodes';
import { createRoundEnd, createTransform } from './round-nodes';

/** n8n has no limit. */
const MAX_ROUNDS = 1000;

/** A circle of nodes, on its level. */
interface CircleLoop {
  circle: NodeCircle;
  links: readonly NodeLink[];
  nodes: ReadonlyMap<string, N8nNode>;
  /** What comes to its first node in a round. */
  arrival: ItemArrival;
  buildLevel(level: ItemLevel): { nodes: WorkflowNode[]; connections: unknown[] };
}

const writeOutput = ({ from, output }: Pick<NodeLink, 'from' | 'output'>): string => `${from} ${output}`;

/** The outputs of a circle: the node and the output that each link out of it begins at, once. */
export const listCircleExits = ({ exits }: NodeCircle): { from: string; output: number }[] =>
  listLinkOutputs(exits).map(({ from, output }) => ({ from, output }));

const asPiece = (nodes: WorkflowNode[], entry: string[], last: string): ItemNodes => ({
  nodes,
  connections: [],
  entries: entry,
  outputs: [[{ node: last, port: 'output' }]],
});

/**
 * Nodes that lead back to their first one as a node `repeat`: a round begins with the items that the one before it led
 * back, and ends with those that leave the circle. What all rounds let out goes on behind it.
 */
export function convertCircle(conversion: ItemConversion, around: CircleLoop): ItemNodes {
  const { circle, links, nodes } = around;
  const { id, node, createId } = conversion;
  const name = cutWellFormed(node.name, 190);
  const { x, y } = node.position;
  const [loop = '', start = '', numbers = '', begin = '', back = ''] = [
    'rounds',
    'round',
    'numbers',
    'items',
    'back',
  ].map((word) => createId(`${id}_${word}`));
  const backName = JSON.stringify(back);
  conversion.addRemark(
    `What comes after its circle runs when all rounds are done. It fails after ${MAX_ROUNDS} rounds.`,
  );
  const exits = listCircleExits(circle).map((exit, index) => ({
    ...exit,
    end: createId(`${id}_end_${index + 1}`),
    behind: createId(`${exit.from}_after`),
    node: nodes.get(exit.from) ?? node,
  }));
  const given = new Map<string, ItemNodes>([
    [
      start,
      {
        ...asPiece(
          [
            { id: start, type: 'start', name: `${name}: round`, position: { x: x - 320, y }, config: {} },
            createTransform(numbers, `${name}: numbers`, { x: x - 240, y }, `n8n.circleNumbers(input, ${backName})`),
            createTransform(begin, `${name}: items`, { x: x - 160, y }, `n8n.circleItems(nodes.${start}, ${backName})`),
          ],
          [],
          begin,
        ),
        connections: [connectNodes(start, numbers), connectNodes(numbers, begin)],
      },
    ],
    [back, asPiece([createRoundEnd(back, `${name}: back`, { x: x + 640, y: y + 160 }, numbers)], [back], back)],
    ...exits.map(({ end, node: from }): [string, ItemNodes] => [
      end,
      asPiece([createRoundEnd(end, `${cutWellFormed(from.name, 190)}: end`, { x: x + 640, y }, numbers)], [end], end),
    ]),
  ]);
  const leadingBack = new Set(circle.back);
  const exitAt = new Map(exits.map((exit) => [writeOutput(exit), exit]));
  const inner = links.flatMap((link): NodeLink[] => {
    if (!circle.ids.has(link.from)) return [];
    if (leadingBack.has(link)) return [{ ...link, to: back, input: 0 }];
    if (circle.ids.has(link.to)) return [link];
    const exit = exitAt.get(writeOutput(link));
    if (exit) return [{ ...link, to: exit.end, input: 0 }];
    conversion.addTodo('A connection out of a loop in its circle is left out.');
    return [];
  });
  const input = circle.back[0]?.input ?? 0;
  const definition = around.buildLevel({
    ids: [...circle.ids, back, ...exits.map(({ end }) => end)],
    links: [{ from: start, output: 0, to: circle.first, input }, ...inner],
    given,
    roots: new Map([[start, around.arrival]]),
  });
  const { disabled: _, ...made } = conversion.createNode(loop, {
    type: 'repeat',
    config: {
      until: `!(output?.${back}?.length > 0)`,
      maxRounds: MAX_ROUNDS,
      collect: true,
      body: definition,
    },
  });
  return {
    nodes: [
      { ...made, name: `${name}: rounds` },
      ...exits.map(({ behind, end, node: from }, index) =>
        createTransform(
          behind,
          from.name,
          { x: x + 160, y: y + index * 120 },
          `n8n.joinTracedRounds(input.outputs, ${JSON.stringify(end)})`,
        ),
      ),
    ],
    connections: exits.map(({ behind }) => connectNodes(loop, behind)),
    entries: [loop],
    outputs: exits.map(({ behind }) => [{ node: behind, port: 'output' }]),
    rounds: { loop, ends: exits.map(({ end }) => end) },
  };
}

/** Links of a level in which the first node of each circle stands for all of its nodes. */
export function linkAroundCircles(links: readonly NodeLink[], circles: readonly NodeCircle[]): NodeLink[] {
  const owners = new Map(circles.flatMap((circle) => [...circle.ids].map((id) => [id, circle] as const)));
  const outputs = new Map(
    circles.map((circle) => [
      circle,
      new Map(listCircleExits(circle).map((exit, index) => [writeOutput(exit), index])),
    ]),
  );
  return links.flatMap((link): NodeLink[] => {
    const [source, target] = [owners.get(link.from), owners.get(link.to)];
    if (source && source === target) return [];
    if (!source) return [link];
    const output = outputs.get(source)?.get(writeOutput(link)) ?? -1;
    return [{ ...link, from: source.first, output }];
  });
}
