import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflow';
import type { Db } from '../db/client';
import { kindOf } from '../nodes';

/** A credential as a node names it; `field` is the path of that name. */
interface Mention {
  id: string;
  field: string;
  /** Kinds that the node takes. */
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
 * What stands in the way of running with the credentials that a definition names: gone or another workspace's (which is
 * the same), of a kind that the node doesn't take, or none where one is needed.
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
