import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Definition } from '@/contract/workflow';
import { moveNodes } from './edits';
import { cardsOf, wiresOf, type Card, type Catalogue, type Wire } from './flow';

/**
 * The definition as nodes and edges of React Flow. Dragging, measuring and selecting stay in here; only a finished
 * move is told to `onChange`, so one drag is one change.
 */
export function useDrawing(
  definition: Definition,
  catalogue: Catalogue,
  selectedIds: readonly string[],
  onChange: ((definition: Definition) => void) | undefined,
) {
  const [nodes, setNodes] = useState<Card[]>(() => cardsOf(definition, catalogue));
  const [edges, setEdges] = useState<Wire[]>(() => wiresOf(definition));
  const latest = useRef({ definition, onChange });
  useEffect(() => {
    latest.current = { definition, onChange };
  });

  useEffect(() => {
    setNodes((old) => marked(cardsOf(definition, catalogue, old), selectedIds));
    setEdges((old) => wiresOf(definition, old));
  }, [definition, catalogue, selectedIds]);

  const onNodesChange = useCallback((changes: NodeChange<Card>[]) => {
    const kept = changes.filter((change) => change.type !== 'remove');
    if (kept.length) setNodes((old) => applyNodeChanges(kept, old));
    const moved = new Map(
      changes.flatMap((change) =>
        change.type === 'position' && !change.dragging && change.position ? [[change.id, change.position]] : [],
      ),
    );
    const { definition: now, onChange: tell } = latest.current;
    const isMoved = now.nodes.some(({ id, position }) => {
      const place = moved.get(id);
      return place !== undefined && (Math.round(place.x) !== position.x || Math.round(place.y) !== position.y);
    });
    if (isMoved) tell?.(moveNodes(now, moved));
  }, []);

  const onEdgesChange = useCallback((changes: EdgeChange<Wire>[]) => {
    const kept = changes.filter((change) => change.type !== 'remove');
    if (kept.length) setEdges((old) => applyEdgeChanges(kept, old));
  }, []);

  return { nodes, edges, onNodesChange, onEdgesChange };
}

/** The cards with those selected that are meant. */
function marked(cards: Card[], selectedIds: readonly string[]): Card[] {
  const chosen = new Set(selectedIds);
  return cards.map((card) => {
    const selected = chosen.has(card.id);
    return (card.selected ?? false) === selected ? card : { ...card, selected };
  });
}
