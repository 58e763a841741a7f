import type { XYPosition } from '@xyflow/react';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { isDrawable } from '../drawable';
import { drawnAs, nodesAmong, withGroups } from '../groups';
import { freeId, idsIn, newId } from './ids';
import { withNotes } from '../notes';

/**
 * The selected part of a definition, for copying: nodes with the connections between them, notes, and groups whose
 * nodes are all selected. Credentials are left out.
 */
export function clipped(definition: Definition, ids: ReadonlySet<string>): Definition {
  const chosen = nodesAmong(definition, ids);
  const nodes = definition.nodes.filter((node) => chosen.has(node.id)).map(bare);
  const connections = definition.connections.filter(
    ({ sourceNode, targetNode }) => chosen.has(sourceNode) && chosen.has(targetNode),
  );
  const notes = (definition.notes ?? []).filter(({ id }) => ids.has(id));
  const groups = (definition.groups ?? []).filter(({ nodeIds }) => nodeIds.every((id) => chosen.has(id)));
  return withNotes(withGroups({ nodes, connections }, groups), notes);
}

/** A definition without credentials, which belong to one workspace. */
export const withoutCredentials = (definition: Definition): Definition => ({
  ...definition,
  nodes: definition.nodes.map(bare),
});

function bare({ credentialId: _, ...node }: Node): Node {
  const { body } = node.config;
  return isDrawable(body) ? { ...node, config: { ...node.config, body: withoutCredentials(body) } } : node;
}

/** The same as JSON for the clipboard. */
export const clip = (definition: Definition, ids: ReadonlySet<string>): string =>
  JSON.stringify(clipped(definition, ids), null, 2);

/**
 * Parses a definition from the text of `clip`, a definition, or a whole workflow. Undefined: it is none of these. The
 * schemas are loaded at first use.
 */
export async function readClip(text: string): Promise<Definition | undefined> {
  try {
    const value: unknown = JSON.parse(text);
    const inner = typeof value === 'object' && value !== null && 'definition' in value ? value.definition : value;
    const { Definition: Whole } = await import('@/contract/workflows/workflow');
    const parsed = Whole.safeParse(inner);
    return parsed.success && idsIn(parsed.data).size ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds copies with new ids, their common corner at `at` (default: slightly offset). Expressions that refer to a copied
 * node refer to its copy. `ids`: the ids to select.
 */
export function paste(definition: Definition, copied: Definition, at?: XYPosition) {
  const { notes = [], groups = [] } = copied;
  const places = [...copied.nodes, ...notes].map(({ position }) => position);
  const corner = { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) };
  const shift = at ? { x: at.x - corner.x, y: at.y - corner.y } : { x: 40, y: 40 };
  const shifted = ({ x, y }: XYPosition) => ({ x: Math.round(x + shift.x), y: Math.round(y + shift.y) });

  const taken = idsIn(definition);
  const renamed = new Map<string, string>();
  const rename = (old: string, id: string) => {
    taken.add(id);
    renamed.set(old, id);
  };
  for (const { id, type } of copied.nodes) rename(id, taken.has(id) ? freeId(taken, type) : id);
  for (const { id } of notes) rename(id, newId(taken, 'note'));
  for (const { id } of groups) rename(id, newId(taken, 'group'));
  const now = (id: string) => renamed.get(id) ?? id;

  const nodes = copied.nodes.map(bare).map((node): Node => {
    const config = renameReferences(node.config, renamed) as Node['config'];
    return { ...node, id: now(node.id), position: shifted(node.position), config };
  });
  const connections = copied.connections.flatMap((connection) =>
    renamed.has(connection.sourceNode) && renamed.has(connection.targetNode)
      ? [{ ...connection, sourceNode: now(connection.sourceNode), targetNode: now(connection.targetNode) }]
      : [],
  );
  const copies = notes.map((note) => ({ ...note, id: now(note.id), position: shifted(note.position) }));
  const regrouped = groups.map((group) => ({ ...group, id: now(group.id), nodeIds: group.nodeIds.map(now) }));
  const joined: Definition = {
    ...definition,
    nodes: [...definition.nodes, ...nodes],
    connections: [...definition.connections, ...connections],
  };
  const grown = withGroups(withNotes(joined, [...(definition.notes ?? []), ...copies]), [
    ...(definition.groups ?? []),
    ...regrouped,
  ]);
  const drawn = drawnAs(grown);
  const pasted = [...nodes, ...copies].map(({ id }) => drawn(id));
  return { ids: [...new Set(pasted)], definition: grown };
}

/** Replaces `nodes.old` by `nodes.new` in all texts of a value. */
export function renameReferences(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\bnodes\.(\w+)/g, (all, id: string) => `nodes.${renamed.get(id) ?? id}`);
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renameReferences(inner, renamed)]));
}
