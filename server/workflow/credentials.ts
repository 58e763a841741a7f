import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import type { Db } from '@/server/db/client';
import { kindOf } from '@/server/nodes';

/** A reference of a node to a credential; `field` is its path. */
interface Mention {
  id: string;
  field: string;
  /** Kinds that the node accepts. */
  types: string[];
  /** The connector that it must belong to; undefined: any. */
  connectorId: string | undefined;
}

function mentionsIn({ nodes }: Definition, prefix = ''): { mentions: Mention[]; lacking: FieldError[] } {
  const mentions: Mention[] = [];
  const lacking: FieldError[] = [];
  for (const [index, { type, config, credentialId, disabled }] of nodes.entries()) {
    const kind = kindOf(type);
    if (!kind || disabled) continue;
    const field = `${prefix}nodes[${index}].credentialId`;
    if (credentialId !== undefined) {
      mentions.push({ id: credentialId, field, types: kind.credentialTypes, connectorId: kind.connectorOf?.(config) });
    } else if (kind.needsCredential) {
      lacking.push({ field, message: 'is required' });
    }
    const inner = kind.inner ? config[kind.inner] : undefined;
    if (inner) {
      const within = mentionsIn(inner as Definition, `${prefix}nodes[${index}].config.${kind.inner}.`);
      mentions.push(...within.mentions);
      lacking.push(...within.lacking);
    }
  }
  return { mentions, lacking };
}

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
      OR EXISTS (SELECT FROM poll WHERE workflow_id = workflow.id AND node->>'credentialId' = ${credentialId}))`;
  return rows.map(({ id }) => id);
}
