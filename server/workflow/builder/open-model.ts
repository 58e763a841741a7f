import type { OpenCredential } from '@/server/connectors/open-credential';
import { openCredentialForNode } from '@/server/connectors/credential-for-node';
import { createRedactor, type ValueRedactor } from '@/server/evaluation/redaction/redactor';

/** Opens the credential of a language model for a proposal. Throws NodeFailure. */
export async function openModelCredential(
  workspaceId: string,
  id: string,
): Promise<{ credential: OpenCredential; secrets: ValueRedactor }> {
  const secrets: string[] = [];
  const { credential } = await openCredentialForNode(workspaceId, id, (values) => secrets.push(...values));
  return { credential, secrets: createRedactor(secrets) };
}
