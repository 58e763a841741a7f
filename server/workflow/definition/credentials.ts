import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findNodeType } from '@/server/workflow/nodes';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';

/** A reference of a node to a credential; `field` is its path. */
interface CredentialMention {
  id: string;
  field: string;
  /** Kinds that the node accepts. */
  types: string[];
  /** The connector that it must belong to; undefined: any. */
  connectorId: string | undefined;
}

interface CredentialMentions {
  mentions: CredentialMention[];
  lacking: FieldIssue[];
}

const credentialMentions = ({ nodes }: WorkflowDefinition): CredentialMentions =>
  joinMentions(nodes.map((node, index) => nodeCredentialMentions(node, `nodes[${index}]`)));

const joinMentions = (all: CredentialMentions[]): CredentialMentions => ({
  mentions: all.flatMap(({ mentions }) => mentions),
  lacking: all.flatMap(({ lacking }) => lacking),
});

/** The mentions of a node and of the nodes inside it. */
function nodeCredentialMentions(node: WorkflowNode, at: string): CredentialMentions {
  const { type, config, credentialId, disabled } = node;
  const kind = findNodeType(type);
  if (!kind || disabled) return { mentions: [], lacking: [] };
  const field = `${at}.credentialId`;
  const own = { id: credentialId ?? '', field, types: kind.credentialTypes, connectorId: kind.connectorOf?.(config) };
  const { needsCredential = false } = kind;
  const isNeeded = typeof needsCredential === 'function' ? needsCredential(config) : needsCredential;
  const isLacking = credentialId === undefined && isNeeded;
  return joinMentions([
    {
      mentions: credentialId === undefined ? [] : [own],
      lacking: isLacking ? [{ field, message: 'is required' }] : [],
    },
    ...listInnerNodes(node).map((inner) => nodeCredentialMentions(inner.node, `${at}.${inner.at}`)),
  ]);
}

/** The credential of a node and those of the nodes inside it, at any depth. */
export const nodeCredentialIds = (node: WorkflowNode): string[] => [
  ...(node.credentialId === undefined ? [] : [node.credentialId]),
  ...listInnerNodes(node).flatMap((inner) => nodeCredentialIds(inner.node)),
];

/**
 * Issues of the credentials in a definition: missing or of another workspace (the same answer), of a kind that the node
 * does not accept, or absent where one is required.
 */
export async function credentialIssues(
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> {
  const { mentions, lacking } = credentialMentions(definition);
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
export async function workflowsUsingCredential(
  db: DatabaseClient,
  workspaceId: string,
  credentialId: string,
): Promise<string[]> {
  // The id is random enough to be searched as text; `"` on both sides matches it as a whole.
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workflow
    WHERE workspace_id = ${workspaceId} AND (position(${`"${credentialId}"`} IN definition::text) > 0
      OR EXISTS (SELECT FROM poll WHERE workflow_id = workflow.id AND readable_json(node)->>'credentialId' = ${credentialId}))`;
  return rows.map(({ id }) => id);
}
