import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import { move } from '@/components/graph/edits/edits';
import { edgesOf, MANY, type Catalogue, type FlowEdge } from '@/components/graph/flow';
import { drawnAs } from '@/components/graph/groups';
import { routesOf } from '@/components/graph/layout/routes';
import type { Routes } from '@/components/graph/layout/route';
import { framed, itemsOf, moves, withTriggers, type DrawnItem, type Item } from '@/components/graph/items';
import { changeNote } from '@/components/graph/notes';

/** For how long a large workflow is shown without the ways of its connections. */
const OPENING_MS = 500;
const NO_ROUTES: Routes = new Map();

/**
 * The definition as nodes and edges of React Flow. Dragging, measuring and selecting stay local; `onChange` gets only a
 * finished move or a new size, so one drag is one change.
 */
export function useDrawing(
  definition: Definition,
  catalogue: Catalogue,
  selectedIds: readonly string[],
  onChange: ((definition: Definition) => void) | undefined,
  triggerIds: readonly string[],
) {
  const [nodes, setNodes] = useState<Item[]>(() => withSelection(itemsOf(definition, catalogue), selectedIds));
  const routes = useRoutes(definition, catalogue);
  const [edges, setEdges] = useState<FlowEdge[]>(() => edgesOf(definition, drawnAs(definition), [], routes));
  const latest = useRef({ definition, onChange, selectedIds });
  useEffect(() => {
    latest.current = { definition, onChange, selectedIds };
  });

  // Two effects: one click may change both, and React Flow knows the selection before this component does.
  useEffect(() => {
    setNodes((old) => withNewSelected(itemsOf(definition, catalogue, old), old, latest.current.selectedIds));
    setEdges((old) => edgesOf(definition, drawnAs(definition), old, routes));
  }, [definition, catalogue, routes]);
  useEffect(() => setNodes((old) => withSelection(old, selectedIds)), [selectedIds]);

  const onNodesChange = useCallback((all: NodeChange<DrawnItem>[]) => {
    const { definition: now, onChange: tell } = latest.current;
    const changes = all.filter(isOfDefinition);
    const updates = changes.filter((change) => change.type !== 'remove');
    if (updates.length) setNodes((old) => framed(applyNodeChanges(withMembers(now, updates), old)));
    const ended = changes.filter((change) => change.type === 'position' && !change.dragging);
    const moved = ended.length ? move(now, moves(now, ended)) : now;
    const next = changes.reduce(withNoteSize, moved);
    if (next !== now) tell?.(next);
  }, []);

  const onEdgesChange = useCallback((changes: EdgeChange<FlowEdge>[]) => {
    const updates = changes.filter((change) => change.type !== 'remove');
    if (updates.length) setEdges((old) => applyEdgeChanges(updates, old));
  }, []);

  const drawn = useMemo(() => withTriggers(nodes, definition, triggerIds), [nodes, definition, triggerIds]);
  return { nodes: drawn, edges, onNodesChange, onEdgesChange };
}

/** The ways of connections around cards. A large workflow opens without them: it is seen a tenth of a second earlier. */
function useRoutes(definition: Definition, catalogue: Catalogue): Routes {
  const [isWanted, setWanted] = useState(definition.nodes.length <= MANY);
  useEffect(() => {
    if (isWanted) return;
    const timer = setTimeout(() => startTransition(() => setWanted(true)), OPENING_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return useMemo(() => (isWanted ? routesOf(definition, catalogue) : NO_ROUTES), [isWanted, definition, catalogue]);
}

/** Triggers have no state of their own, and nothing but the definition adds or replaces items. */
const isOfDefinition = (change: NodeChange<DrawnItem>): change is NodeChange<Item> =>
  change.type !== 'add' && change.type !== 'replace';

/** Adds position changes for the nodes of a moved group. */
function withMembers(definition: Definition, changes: NodeChange<Item>[]): NodeChange<Item>[] {
  if (!definition.groups) return changes;
  const said = new Set(changes.flatMap((change) => (change.type === 'position' ? [change.id] : [])));
  const dragged = [...moves(definition, changes)].filter(([id]) => !said.has(id));
  return [...changes, ...dragged.map(([id, position]) => ({ type: 'position', id, position }) as const)];
}

/** Applies the final size of a resized note. */
function withNoteSize(definition: Definition, change: NodeChange<Item>): Definition {
  if (change.type !== 'dimensions' || change.resizing !== false || !change.dimensions) return definition;
  const note = definition.notes?.find(({ id }) => id === change.id);
  const [width, height] = [Math.round(change.dimensions.width), Math.round(change.dimensions.height)];
  if (!note || (note.size.width === width && note.size.height === height)) return definition;
  return changeNote(definition, note.id, { size: { width, height } });
}

/** Selects new items whose ids are in `selectedIds`. */
function withNewSelected(items: Item[], old: Item[], selectedIds: readonly string[]): Item[] {
  const known = new Set(old.map(({ id }) => id));
  const chosen = new Set(selectedIds.filter((id) => !known.has(id)));
  return chosen.size === 0 ? items : items.map((item) => (chosen.has(item.id) ? { ...item, selected: true } : item));
}

/** Applies `selectedIds` to the items. */
function withSelection(items: Item[], selectedIds: readonly string[]): Item[] {
  const chosen = new Set(selectedIds);
  return items.map((item) => {
    const selected = chosen.has(item.id);
    return (item.selected ?? false) === selected ? item : { ...item, selected };
  });
}
