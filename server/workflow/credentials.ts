import type { FieldError } from '@/contract/error';
import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Db } from '@/server/db/client';
import { kindOf } from '@/server/nodes';
import { nodesInside } from '@/server/nodes/inside';

/** A reference of a node to a credential; `field` is its path. */
interface Mention {
  id: string;
  field: string;
  /** Kinds that the node accepts. */
  types: string[];
  /** The connector that it must belong to; undefined: any. */
  connectorId: string | undefined;
}

interface Mentions {
  mentions: Mention[];
  lacking: FieldError[];
}

const mentionsIn = ({ nodes }: Definition): Mentions =>
  together(nodes.map((node, index) => mentionsAt(node, `nodes[${index}]`)));

const together = (all: Mentions[]): Mentions => ({
  mentions: all.flatMap(({ mentions }) => mentions),
  lacking: all.flatMap(({ lacking }) => lacking),
});

/** Those of a node and of the nodes inside it. */
function mentionsAt(node: Node, at: string): Mentions {
  const { type, config, credentialId, disabled } = node;
  const kind = kindOf(type);
  if (!kind || disabled) return { mentions: [], lacking: [] };
  const field = `${at}.credentialId`;
  const own = { id: credentialId ?? '', field, types: kind.credentialTypes, connectorId: kind.connectorOf?.(config) };
  const { needsCredential = false } = kind;
  const isNeeded = typeof needsCredential === 'function' ? needsCredential(config) : needsCredential;
  const isLacking = credentialId === undefined && isNeeded;
  return together([
    {
      mentions: credentialId === undefined ? [] : [own],
      lacking: isLacking ? [{ field, message: 'is required' }] : [],
    },
    ...nodesInside(node).map((inner) => mentionsAt(inner.node, `${at}.${inner.at}`)),
  ]);
}

/** The credential of a node and those of the nodes inside it, at any depth. */
export const credentialIdsOf = (node: Node): string[] => [
  ...(node.credentialId === undefined ? [] : [node.credentialId]),
  ...nodesInside(node).flatMap((inner) => credentialIdsOf(inner.node)),
];

/**
 * Issues of the credentials in a definition: missing or of another workspace (the same answer), of a kind that the node does not accept, or
 * absent where one is required.
 */
export async function credentialIssues(db: Db, workspaceId: string, definition: Definition): Promise<FieldError[]> {
  const { mentions, lacking } = mentionsIn(definition);
  if (mentions.length === 0) return lacking;
  const ids = [...new Set(mentions.map(({ id }) => id))];
  const rows = await db.credential.findMany({
    where: { workspaceId, id: { in: ids } },
    select: { id: true, type: true, connectorId: true },
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  const problems = mentions.flatMap(({ id, field, types, connectorId }) => {
    const row = found.get(id);
    if (!row) return { field, message: 'this credential does not exist in the workspace' };
    if (!types.includes(row.type)) return { field, message: `must be a credential of type ${types.join(', ')}` };
    const isOther = connectorId !== undefined && row.connectorId !== connectorId;
    return isOther ? { field, message: `must be a credential of ${connectorId}` } : [];
  });
  return [...lacking, ...problems];
}

/** Ids of the workflows whose current definition, inner ones included, or poll refers to a credential. */
export async function workflowsNaming(db: Db, workspaceId: string, credentialId: string): Promise<string[]> {
  // The id is random enough to be searched as text; `"` on both sides matches it as a whole.
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workflow
    WHERE workspace_id = ${workspaceId} AND (position(${`"${credentialId}"`} IN definition::text) > 0
      OR EXISTS (SELECT FROM poll WHERE workflow_id = workflow.id AND readable_json(node)->>'credentialId' = ${credentialId}))`;
  return rows.map(({ id }) => id);
}
