import type { WorkflowNode } from '@/contract/workflows/workflow';

/** Size of a card on the canvas, and the distance by which one is moved, in canvas pixels. */
const CARD_WIDTH = 236;
const CARD_HEIGHT = 60;
const STEP = 90;
/** A card that finds no free place after so many steps stays there. */
const MAX_STEPS = 50;

/**
 * Moves nodes that the conversion adds down until they cover no other card: they are made beside nodes of n8n, which
 * stand closer to each other than two cards are wide. `isFixed`: whether a node stays where it is in n8n.
 */
export function separateCards(nodes: readonly WorkflowNode[], isFixed: (id: string) => boolean): WorkflowNode[] {
  const taken = new Map<string, WorkflowNode['position'][]>();
  const take = (position: WorkflowNode['position']) => {
    const key = cellKey(position, 0, 0);
    taken.set(key, [...(taken.get(key) ?? []).slice(0, MAX_STEPS), position]);
  };
  for (const { id, position } of nodes) if (isFixed(id)) take(position);
  const isFree = ({ x, y }: WorkflowNode['position']): boolean =>
    AROUND.every(
      ([column, row]) =>
        !taken
          .get(cellKey({ x, y }, column, row))
          ?.some((other) => Math.abs(other.x - x) < CARD_WIDTH && Math.abs(other.y - y) < CARD_HEIGHT),
    );
  return nodes.map((node) => {
    if (isFixed(node.id)) return node;
    const { x, y } = node.position;
    const steps = Array.from({ length: MAX_STEPS }, (_, index) => ({ x, y: y + index * STEP }));
    const position = steps.find(isFree) ?? node.position;
    take(position);
    return { ...node, position };
  });
}

const AROUND = [-1, 0, 1].flatMap((column) => [-1, 0, 1].map((row) => [column, row] as const));

const cellKey = ({ x, y }: WorkflowNode['position'], column: number, row: number): string =>
  `${Math.floor(x / CARD_WIDTH) + column} ${Math.floor(y / CARD_HEIGHT) + row}`;
