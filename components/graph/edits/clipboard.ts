import type { XYPosition } from '@xyflow/react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { isDrawableDefinition } from '../drawable';
import { drawnIdMapper, selectedNodeIds, setDefinitionGroups } from '../groups';
import { readableNodeId, definitionItemIds, randomAnnotationId } from './ids';
import { setDefinitionNotes } from '../notes';

/**
 * The selected part of a definition, for copying: nodes with the connections between them, notes, and groups whose
 * nodes are all selected. Credentials are left out.
 */
export function copySelection(definition: WorkflowDefinition, ids: ReadonlySet<string>): WorkflowDefinition {
  const chosen = selectedNodeIds(definition, ids);
  const nodes = definition.nodes.filter((node) => chosen.has(node.id)).map(stripNodeCredential);
  const connections = definition.connections.filter(
    ({ sourceNode, targetNode }) => chosen.has(sourceNode) && chosen.has(targetNode),
  );
  const notes = (definition.notes ?? []).filter(({ id }) => ids.has(id));
  const groups = (definition.groups ?? []).filter(({ nodeIds }) => nodeIds.every((id) => chosen.has(id)));
  return setDefinitionNotes(setDefinitionGroups({ nodes, connections }, groups), notes);
}

/** A definition without credentials, which belong to one workspace. */
export const stripCredentials = (definition: WorkflowDefinition): WorkflowDefinition => ({
  ...definition,
  nodes: definition.nodes.map(stripNodeCredential),
});

function stripNodeCredential({ credentialId: _, ...node }: WorkflowNode): WorkflowNode {
  const { body } = node.config;
  return isDrawableDefinition(body) ? { ...node, config: { ...node.config, body: stripCredentials(body) } } : node;
}

/** The selected part of a definition as JSON for the clipboard, with the language of its expressions. */
export const selectionToJson = (
  definition: WorkflowDefinition,
  ids: ReadonlySet<string>,
  language: ExpressionLanguage,
): string => JSON.stringify({ ...copySelection(definition, ids), language }, null, 2);

/**
 * Parses a definition from the text of `selectionToJson`, a definition, or a whole workflow. Undefined: it is none of
 * these. The schemas are loaded at first use.
 */
export async function parseClipboard(text: string): Promise<WorkflowDefinition | undefined> {
  try {
    const value: unknown = JSON.parse(text);
    const inner = typeof value === 'object' && value !== null && 'definition' in value ? value.definition : value;
    const { WorkflowDefinition: Whole } = await import('@/contract/workflows/workflow');
    const parsed = Whole.safeParse(inner);
    return parsed.success && definitionItemIds(parsed.data).size ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds copies with new ids, their common corner at `at` (default: slightly offset). Expressions that refer to a copied
 * node refer to its copy. `ids`: the ids to select.
 */
export function pasteDefinition(definition: WorkflowDefinition, copied: WorkflowDefinition, at?: XYPosition) {
  const { notes = [], groups = [] } = copied;
  const places = [...copied.nodes, ...notes].map(({ position }) => position);
  const corner = { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
  const shift = at ? { x: at.x - corner.x, y: at.y - corner.y } : { x: 40, y: 40 };
  const shifted = ({ x, y }: XYPosition) => ({ x: Math.round(x + shift.x), y: Math.round(y + shift.y) });

  const taken = definitionItemIds(definition);
  const renamed = new Map<string, string>();
  const rename = (old: string, id: string) => {
    taken.add(id);
    renamed.set(old, id);
  };
  for (const { id, type } of copied.nodes) rename(id, taken.has(id) ? readableNodeId(taken, type) : id);
  for (const { id } of notes) rename(id, randomAnnotationId(taken, 'note'));
  for (const { id } of groups) rename(id, randomAnnotationId(taken, 'group'));
  const now = (id: string) => renamed.get(id) ?? id;

  const nodes = copied.nodes.map(stripNodeCredential).map((node): WorkflowNode => {
    return { ...renameReferencesInNode(node, renamed), id: now(node.id), position: shifted(node.position) };
  });
  const connections = copied.connections.flatMap((connection) =>
    renamed.has(connection.sourceNode) && renamed.has(connection.targetNode)
      ? [{ ...connection, sourceNode: now(connection.sourceNode), targetNode: now(connection.targetNode) }]
      : [],
  );
  const copies = notes.map((note) => ({ ...note, id: now(note.id), position: shifted(note.position) }));
  const regrouped = groups.map((group) => ({ ...group, id: now(group.id), nodeIds: group.nodeIds.map(now) }));
  const joined: WorkflowDefinition = {
    ...definition,
    nodes: [...definition.nodes, ...nodes],
    connections: [...definition.connections, ...connections],
  };
  const grown = setDefinitionGroups(setDefinitionNotes(joined, [...(definition.notes ?? []), ...copies]), [
    ...(definition.groups ?? []),
    ...regrouped,
  ]);
  const drawn = drawnIdMapper(grown);
  const pasted = [...nodes, ...copies].map(({ id }) => drawn(id));
  return { ids: [...new Set(pasted)], definition: grown };
}

/** Replaces `nodes.old` by `nodes.new` in the expressions of a node. */
export function renameReferencesInNode(node: WorkflowNode, renamed: ReadonlyMap<string, string>): WorkflowNode {
  const { config, each } = renameNodeReferences({ config: node.config, each: node.each }, renamed) as WorkflowNode;
  return each ? { ...node, config, each } : { ...node, config };
}

/** How expressions name a node: `nodes.old`, `nodes?.old`, `` nodes.`old` ``, `nodes["old"]`. */
const NODE_REFERENCE_PATTERN = /\bnodes(\?\.|\.)([\w$]+)|\bnodes\.`([^`]+)`|\bnodes((?:\?\.)?\[\s*)(["'])([^"'\\]+)\5/g;

/** Replaces `nodes.old` by `nodes.new` in all texts of a value. */
function renameNodeReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(
      NODE_REFERENCE_PATTERN,
      (all, dot?: string, plain?: string, quoted?: string, bracket?: string, quote = '', inBrackets?: string) => {
        const id = renamed.get(plain ?? quoted ?? inBrackets ?? '');
        if (id === undefined) return all;
        if (bracket !== undefined) return `nodes${bracket}${quote}${id}${quote}`;
        return `nodes${dot ?? '.'}${id}`;
      },
    );
  if (Array.isArray(value)) return value.map((item) => renameNodeReferences(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renameNodeReferences(inner, renamed)]));
}
