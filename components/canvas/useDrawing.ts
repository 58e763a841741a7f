import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Definition } from '@/contract/workflow';
import { move } from './edits';
import { wiresOf, type Catalogue, type Wire } from './flow';
import { drawnAs } from './groups';
import { framed, itemsOf, moves, type Item } from './items';
import { changeNote } from './notes';

/**
 * The definition as nodes and edges of React Flow. Dragging, measuring and selecting stay in here; only a finished
 * move or a new size is told to `onChange`, so one drag is one change.
 */
export function useDrawing(
  definition: Definition,
  catalogue: Catalogue,
  selectedIds: readonly string[],
  onChange: ((definition: Definition) => void) | undefined,
) {
  const [nodes, setNodes] = useState<Item[]>(() => itemsOf(definition, catalogue));
  const [edges, setEdges] = useState<Wire[]>(() => wiresOf(definition, drawnAs(definition)));
  const latest = useRef({ definition, onChange, selectedIds });
  useEffect(() => {
    latest.current = { definition, onChange, selectedIds };
  });

  // Apart from one another: a click may change both at once, and what is drawn knows of its selection before we do.
  useEffect(() => {
    setNodes((old) => arrived(itemsOf(definition, catalogue, old), old, latest.current.selectedIds));
    setEdges((old) => wiresOf(definition, drawnAs(definition), old));
  }, [definition, catalogue]);
  useEffect(() => setNodes((old) => marked(old, selectedIds)), [selectedIds]);

  const onNodesChange = useCallback((changes: NodeChange<Item>[]) => {
    const { definition: now, onChange: tell } = latest.current;
    const kept = changes.filter((change) => change.type !== 'remove');
    if (kept.length) setNodes((old) => framed(applyNodeChanges(withMembers(now, kept), old)));
    const ended = changes.filter((change) => change.type === 'position' && !change.dragging);
    const moved = ended.length ? move(now, moves(now, ended)) : now;
    const next = changes.reduce(sized, moved);
    if (next !== now) tell?.(next);
  }, []);

  const onEdgesChange = useCallback((changes: EdgeChange<Wire>[]) => {
    const kept = changes.filter((change) => change.type !== 'remove');
    if (kept.length) setEdges((old) => applyEdgeChanges(kept, old));
  }, []);

  return { nodes, edges, onNodesChange, onEdgesChange };
}

/** The changes, with the nodes moved whose group is moved. */
function withMembers(definition: Definition, changes: NodeChange<Item>[]): NodeChange<Item>[] {
  if (!definition.groups) return changes;
  const said = new Set(changes.flatMap((change) => (change.type === 'position' ? [change.id] : [])));
  const dragged = [...moves(definition, changes)].filter(([id]) => !said.has(id));
  return [...changes, ...dragged.map(([id, position]) => ({ type: 'position', id, position }) as const)];
}

/** With the size that somebody gave a note at last. */
function sized(definition: Definition, change: NodeChange<Item>): Definition {
  if (change.type !== 'dimensions' || change.resizing !== false || !change.dimensions) return definition;
  const note = definition.notes?.find(({ id }) => id === change.id);
  const [width, height] = [Math.round(change.dimensions.width), Math.round(change.dimensions.height)];
  if (!note || (note.size.width === width && note.size.height === height)) return definition;
  return changeNote(definition, note.id, { size: { width, height } });
}

/** The items, with those that are new selected where that is meant. */
function arrived(items: Item[], old: Item[], selectedIds: readonly string[]): Item[] {
  const known = new Set(old.map(({ id }) => id));
  const chosen = new Set(selectedIds.filter((id) => !known.has(id)));
  return chosen.size === 0 ? items : items.map((item) => (chosen.has(item.id) ? { ...item, selected: true } : item));
}

/** The items with those selected that are meant. */
function marked(items: Item[], selectedIds: readonly string[]): Item[] {
  const chosen = new Set(selectedIds);
  return items.map((item) => {
    const selected = chosen.has(item.id);
    return (item.selected ?? false) === selected ? item : { ...item, selected };
  });
}
