import type { OpenCredential } from '@/server/connectors/open-credential';
import { openForNode } from '@/server/connectors/use';
import { redactor, type Redactor } from '@/server/redaction/redactor';

/** Opens the credential of a language model for a proposal. Throws NodeFailure. */
export async function openModel(
  workspaceId: string,
  id: string,
): Promise<{ credential: OpenCredential; secrets: Redactor }> {
  const secrets: string[] = [];
  const { credential } = await openForNode(workspaceId, id, (values) => secrets.push(...values));
  return { credential, secrets: redactor(secrets) };
}
