import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, cutWellFormed, type N8nNode } from '../../file';
import { loopBodyOutput } from './loops';
import { groupLinksByEnd, reachableIds, type NodeLink } from '../../node-links';
import { shortNodeType } from '../../starts/convert-trigger';
import type { ItemArrival } from '../arrivals/arrivals';
import type { ItemConversion, ItemLevel, ItemNodes } from '../item-conversion';
import { connectNodes } from '../connect-nodes';
import { READS_PAIRED_ITEM } from '../arrivals/item-counts';
import { createRoundEnd, createTransform } from './round-nodes';

/** A loop over items, on its level. */
interface ItemLoop {
  /** The ids of the nodes inside the loop. */
  body: ReadonlySet<string>;
  links: readonly NodeLink[];
  nodes: ReadonlyMap<string, N8nNode>;
  buildLevel(level: ItemLevel): { nodes: WorkflowNode[]; connections: unknown[] };
}

/** The outputs that a node chooses from. The second one of a filter can not be connected. */
const DECIDED_OUTPUTS: Readonly<Record<string, number>> = { filter: 2, if: 2 };

/** Whether a node on the way back may take items away, because it is a filter or leads nowhere by one of its outputs. */
function mayBringNothing(loop: string, { body, links, nodes }: Pick<ItemLoop, 'body' | 'links' | 'nodes'>): boolean {
  const incoming = groupLinksByEnd(links, 'to');
  const before = (id: string) => (incoming.get(id) ?? []).map(({ from }) => from).filter((from) => body.has(from));
  return [...reachableIds(before(loop), before)].some((id) => {
    const used = new Set(links.filter(({ from }) => from === id).map(({ output }) => output));
    const count = DECIDED_OUTPUTS[shortNodeType(nodes.get(id)?.type ?? '')] ?? 0;
    return count > 0 && used.size < count;
  });
}

/** Says what is to check because a loop keeps its state in n8n. `isInside`: it is inside of another one. */
export function reportLoopState(conversion: ItemConversion, isInside: boolean): void {
  const { reset } = asN8nObject(conversion.node.parameters['options']);
  if (reset === true) conversion.addTodo('Check its rounds: n8n would begin again after each of them.');
  const isReset = typeof reset === 'string' && reset.includes('$prevNode');
  if (isInside && !isReset)
    conversion.addTodo('Check its items: n8n runs an inner loop without “reset” for the first outer round alone.');
}

/** Loop over items as a `for_each` of batches, and a node with n8n's name behind it that joins what they give. */
export function convertLoopOverItems(
  conversion: ItemConversion,
  { body, links, nodes, buildLevel }: ItemLoop,
): ItemNodes {
  const { id, node, createId } = conversion;
  const { batchSize = node.version >= 3 ? 1 : 10 } = node.parameters;
  const [loop = '', start = '', numbers = '', batch = '', end = ''] = [
    'rounds',
    'round',
    'numbers',
    'batch',
    'end',
  ].map((word) => createId(`${id}_${word}`));
  const size = typeof batchSize === 'number' ? batchSize : null;
  if (size === null && conversion.parts.isNamedElsewhere(node, READS_PAIRED_ITEM))
    conversion.addTodo(
      'Write its batch size as a number: otherwise it is not known where the items of its rounds come from.',
    );
  const name = cutWellFormed(node.name, 190);
  const { x, y } = node.position;
  const given = new Map<string, ItemNodes>([
    [
      id,
      {
        nodes: [
          { id: start, type: 'start', name: `${name}: round`, position: { x, y }, config: {} },
          createTransform(numbers, `${name}: numbers`, { x: x + 80, y }, `n8n.roundNumbers(input, ${size})`),
          createTransform(batch, node.name, { x: x + 160, y }, `n8n.roundItems(nodes.${start}.item)`),
        ],
        connections: [connectNodes(start, numbers), connectNodes(numbers, batch)],
        entries: [],
        outputs: [[{ node: batch, port: 'output' }]],
      },
    ],
    [
      end,
      {
        nodes: [createRoundEnd(end, `${name}: end`, { x: x + 640, y }, numbers)],
        connections: [],
        entries: [end],
        outputs: [[{ node: end, port: 'output' }]],
      },
    ],
  ]);
  const into = loopBodyOutput(node);
  if (mayBringNothing(conversion.id, { body, links, nodes }))
    conversion.addTodo(
      'Check its rounds: n8n ends the loop at a round that brings nothing back, here the others follow.',
    );
  const inner = links.flatMap((link): NodeLink[] => {
    if (link.from === id) return link.output === into && body.has(link.to) ? [{ ...link, output: 0 }] : [];
    if (!body.has(link.from)) return [];
    if (link.to === id) return [{ ...link, to: end, input: 0 }];
    if (body.has(link.to)) return [link];
    conversion.addTodo('A connection out of the loop is left out: continue behind the loop.');
    return [];
  });
  for (const link of links) {
    if (body.has(link.to) && link.from !== id && !body.has(link.from))
      conversion.addTodo('A connection from outside into the loop is left out.');
  }
  const roots = new Map<string, ItemArrival>([[id, batchSize === 1 ? 'one' : 'list']]);
  const definition = buildLevel({ ids: [...body, end], links: inner, given, roots });
  const repeated: WorkflowNode = {
    ...conversion.createNode(loop, {
      type: 'for_each',
      config: { items: `n8n.batches(${conversion.code(batchSize)})`, body: definition },
    }),
    name: `${name}: rounds`,
  };
  const joined = conversion.createNode(id, {
    type: 'transform',
    config: { expression: `n8n.joinTracedRounds(input, ${JSON.stringify(end)})` },
  });
  const done = [{ node: id, port: 'output' }];
  return {
    nodes: [repeated, { ...joined, position: { x: x + 160, y } }],
    connections: [connectNodes(loop, id)],
    entries: [loop],
    outputs: into === 1 ? [done, []] : [[], done],
  };
}

/** A loop to which nothing leads back: the first batch goes into it, and nothing is ever done. */
export function convertLoopWithoutBody(conversion: ItemConversion): ItemNodes {
  const { node } = conversion;
  const { batchSize = node.version >= 3 ? 1 : 10 } = node.parameters;
  const made = conversion.listNode(`n8n.firstBatch(${conversion.code(batchSize)})`);
  return { ...made, outputs: loopBodyOutput(node) === 1 ? [[], ...made.outputs] : made.outputs };
}
