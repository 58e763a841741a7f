import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { parseAgentPartId } from '@/components/graph/agent-parts';

/** The item that was right-clicked, and the position on the screen. */
export interface ContextMenuTarget {
  over: 'node' | 'agent' | 'part' | 'note' | 'group' | 'selection' | 'connection' | 'canvas';
  x: number;
  y: number;
}

/** The kind of item with an id; undefined: the canvas itself. */
export function canvasItemKind(
  { nodes, notes, groups }: WorkflowDefinition,
  id: string | undefined,
): ContextMenuTarget['over'] {
  if (id === undefined) return 'canvas';
  if (notes?.some((note) => note.id === id)) return 'note';
  if (groups?.some((group) => group.id === id)) return 'group';
  const node = nodes.find((one) => one.id === id);
  if (node) return node.type === 'agent' ? 'agent' : 'node';
  return parseAgentPartId(id) ? 'part' : 'node';
}
