import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { buildAgentPartItems } from '@/components/graph/agent-part-items';
import { parseAgentPartId } from '@/components/graph/agent-parts';
import type { DrawnTrigger } from '@/components/graph/trigger-items';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { moveItems } from '@/components/graph/edits/edits';
import {
  buildCanvasEdges,
  MAX_RENDERED_NODES,
  type NodeTypesByName,
  type CanvasEdge,
} from '@/components/graph/cards-and-edges';
import type { DrawnDefinition } from '@/components/graph/drawn';
import { drawnIdMapper } from '@/components/graph/groups';
import { findConnectionRoutes } from '@/components/graph/layout/routes';
import type { ConnectionRoutes } from '@/components/graph/layout/route';
import {
  fitGroupFrames,
  buildDefinitionItems,
  draggedPositions,
  addTriggerItems,
  isNodeCardItem,
  type CanvasItem,
  type DefinitionItem,
} from '@/components/graph/canvas-items';
import { nodeTitlesById } from '@/components/graph/summary';
import { changeNote } from '@/components/graph/notes';

/** For how long a large workflow is shown before its connections are led around cards. */
const ROUTES_DELAY_MS = 500;
const NO_ROUTES: ConnectionRoutes = new Map();

/**
 * The definition as nodes and edges of React Flow. Dragging, measuring and selecting stay local; `onChange` gets only a
 * finished move or a new size, so one drag is one change.
 */
export function useCanvasElements(
  definition: DrawnDefinition,
  catalogue: NodeTypesByName,
  selectedIds: readonly string[],
  onChange: ((definition: WorkflowDefinition) => void) | undefined,
  triggers: readonly DrawnTrigger[],
) {
  const [nodes, setNodes] = useState<DefinitionItem[]>(() =>
    applySelection(buildDefinitionItems(definition, catalogue), selectedIds),
  );
  const found = useConnectionRoutes(definition, catalogue);
  // Routes lead around cards. The frame of an open loop is none, and its size is not that of a card.
  const routes = definition.scopes ? NO_ROUTES : found;
  const [edges, setEdges] = useState<CanvasEdge[]>(() =>
    buildCanvasEdges(definition, drawnIdMapper(definition), [], routes, nodeTitlesById(definition, catalogue)),
  );
  const latest = useRef({ definition, onChange, selectedIds });
  useEffect(() => {
    latest.current = { definition, onChange, selectedIds };
  });

  // Two effects: one click may change both, and React Flow knows the selection before this component does.
  useEffect(() => {
    setNodes((old) =>
      selectNewItems(buildDefinitionItems(definition, catalogue, old), old, latest.current.selectedIds),
    );
    const titles = nodeTitlesById(definition, catalogue);
    setEdges((old) => buildCanvasEdges(definition, drawnIdMapper(definition), old, routes, titles));
  }, [definition, catalogue, routes]);
  const [selectedPartIds, setSelectedPartIds] = useState<ReadonlySet<string>>(() => filterPartIds(selectedIds));
  useEffect(() => {
    setNodes((old) => applySelection(old, selectedIds));
    setSelectedPartIds((old) => keepSameIds(old, filterPartIds(selectedIds)));
  }, [selectedIds]);

  const onNodesChange = useCallback((all: NodeChange<CanvasItem>[]) => {
    const { definition: now, onChange: tell } = latest.current;
    setSelectedPartIds((old) => all.reduce(applyPartSelection, old));
    const changes = all.filter(isDefinitionChange);
    const updates = changes.filter((change) => change.type !== 'remove');
    if (updates.length) setNodes((old) => fitGroupFrames(applyNodeChanges(addGroupMemberMoves(now, updates), old)));
    const ended = changes.filter((change) => change.type === 'position' && !change.dragging);
    const moved = ended.length ? moveItems(now, draggedPositions(now, ended)) : now;
    const next = changes.reduce(applyNoteResize, moved);
    if (next !== now) tell?.(next);
  }, []);

  const onEdgesChange = useCallback((changes: EdgeChange<CanvasEdge>[]) => {
    const updates = changes.filter((change) => change.type !== 'remove');
    if (updates.length) setEdges((old) => applyEdgeChanges(updates, old));
  }, []);

  const drawn = useMemo(() => {
    const items = addTriggerItems(nodes, definition, triggers);
    const parts = buildAgentPartItems(nodes.filter(isNodeCardItem), selectedPartIds);
    return parts.length > 0 ? [...items, ...parts] : items;
  }, [nodes, definition, triggers, selectedPartIds]);
  return { nodes: drawn, edges, onNodesChange, onEdgesChange };
}

/**
 * The routes of connections around cards. A large workflow opens without them, and so appears a tenth of a second
 * earlier.
 */
function useConnectionRoutes(definition: WorkflowDefinition, catalogue: NodeTypesByName): ConnectionRoutes {
  const [isWanted, setWanted] = useState(definition.nodes.length <= MAX_RENDERED_NODES);
  useEffect(() => {
    if (isWanted) return;
    const timer = setTimeout(() => startTransition(() => setWanted(true)), ROUTES_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return useMemo(
    () => (isWanted ? findConnectionRoutes(definition, catalogue) : NO_ROUTES),
    [isWanted, definition, catalogue],
  );
}

/** Triggers have no state of their own, and nothing but the definition adds or replaces items. */
const isDefinitionChange = (change: NodeChange<CanvasItem>): change is NodeChange<DefinitionItem> =>
  change.type !== 'add' && change.type !== 'replace';

const filterPartIds = (ids: readonly string[]): ReadonlySet<string> =>
  new Set(ids.filter((id) => parseAgentPartId(id) !== undefined));

/** The old set if it has the same ids, so that nothing renders again. */
const keepSameIds = (old: ReadonlySet<string>, next: ReadonlySet<string>): ReadonlySet<string> =>
  old.size === next.size && [...next].every((id) => old.has(id)) ? old : next;

/** Parts of agents have no state of their own but their selection. */
function applyPartSelection(selected: ReadonlySet<string>, change: NodeChange<CanvasItem>): ReadonlySet<string> {
  if (change.type !== 'select' || selected.has(change.id) === change.selected || !parseAgentPartId(change.id))
    return selected;
  const next = new Set(selected);
  if (change.selected) next.add(change.id);
  else next.delete(change.id);
  return next;
}

/** Adds position changes for the nodes of a moved group or open loop. */
function addGroupMemberMoves(
  definition: DrawnDefinition,
  changes: NodeChange<DefinitionItem>[],
): NodeChange<DefinitionItem>[] {
  if (!definition.groups && !definition.scopes) return changes;
  const said = new Set(changes.flatMap((change) => (change.type === 'position' ? [change.id] : [])));
  const dragged = [...draggedPositions(definition, changes)].filter(([id]) => !said.has(id));
  return [...changes, ...dragged.map(([id, position]) => ({ type: 'position', id, position }) as const)];
}

/** Applies the final size of a resized note. */
function applyNoteResize(definition: WorkflowDefinition, change: NodeChange<DefinitionItem>): WorkflowDefinition {
  if (change.type !== 'dimensions' || change.resizing !== false || !change.dimensions) return definition;
  const note = definition.notes?.find(({ id }) => id === change.id);
  const [width, height] = [Math.round(change.dimensions.width), Math.round(change.dimensions.height)];
  if (!note || (note.size.width === width && note.size.height === height)) return definition;
  return changeNote(definition, note.id, { size: { width, height } });
}

/** Selects new items whose ids are in `selectedIds`. */
function selectNewItems(
  items: DefinitionItem[],
  old: DefinitionItem[],
  selectedIds: readonly string[],
): DefinitionItem[] {
  const known = new Set(old.map(({ id }) => id));
  const chosen = new Set(selectedIds.filter((id) => !known.has(id)));
  return chosen.size === 0 ? items : items.map((item) => (chosen.has(item.id) ? { ...item, selected: true } : item));
}

/** Applies `selectedIds` to the items. */
function applySelection(items: DefinitionItem[], selectedIds: readonly string[]): DefinitionItem[] {
  const chosen = new Set(selectedIds);
  return items.map((item) => {
    const selected = chosen.has(item.id);
    return (item.selected ?? false) === selected ? item : { ...item, selected };
  });
}
