import type { Node as FlowNode } from '@xyflow/react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartBox, agentPartId, agentPartTitle, listAgentParts, type AgentPart } from './agent-parts';
import type { NodeCardItem } from './cards-and-edges';
import { cardHeightForOutputs } from './layout/card';
import { nodeTitle } from './summary';

/** The model, the memory or a tool of an agent on the canvas: placed below the agent, with which it moves. */
export type AgentPartItem = FlowNode<{ agent: WorkflowNode; title: string; part: AgentPart }, 'agentPart'>;

/** What was made of a card before, for one kind of its node. */
interface PartItemsBefore {
  kind: NodeTypeDescription | undefined;
  items: AgentPartItem[];
}

/** An unchanged card has the same parts as before, so that only those of a changed or moved agent render again. */
const itemsByCard = new WeakMap<NodeCardItem, PartItemsBefore>();

function buildPartItems(card: NodeCardItem): AgentPartItem[] {
  const { node, kind, outputs } = card.data;
  const parts = listAgentParts(node);
  if (parts.length === 0 || card.hidden || card.type !== 'card') return [];
  const known = itemsByCard.get(card);
  if (known && known.kind === kind) return known.items;
  const height = card.measured?.height ?? cardHeightForOutputs(outputs.length);
  const title = nodeTitle(node, kind);
  const items = parts.map((part, line): AgentPartItem => {
    const { x, y, ...size } = agentPartBox(card.position, height, line);
    return {
      id: agentPartId(card.id, part),
      type: 'agentPart',
      position: { x, y },
      ...size,
      measured: size,
      data: { agent: node, title, part },
      ariaLabel: `${agentPartTitle(node, part)} of agent ${title}`,
      draggable: false,
      connectable: false,
      deletable: false,
      // A node that stands there, as in workflows from before the parts were drawn, stays in reach.
      zIndex: -1,
    };
  });
  itemsByCard.set(card, { kind, items });
  return items;
}

/** One selected copy of each item. */
const selectedItems = new WeakMap<AgentPartItem, AgentPartItem>();

function selectPartItem(item: AgentPartItem): AgentPartItem {
  const copy = selectedItems.get(item) ?? { ...item, selected: true };
  selectedItems.set(item, copy);
  return copy;
}

/** The parts of the agents among the cards, with their selection. */
export const buildAgentPartItems = (
  cards: readonly NodeCardItem[],
  selectedIds: ReadonlySet<string>,
): AgentPartItem[] =>
  cards.flatMap((card) => buildPartItems(card).map((item) => (selectedIds.has(item.id) ? selectPartItem(item) : item)));
