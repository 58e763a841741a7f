import type { Definition } from '@/contract/workflows/workflow';
import { openCredentials } from '@/server/connectors/vault';
import { redactLarge } from '@/server/evaluation/evaluation';
import { LargeJson } from '@/server/expressions/large-json';
import { redactor } from '@/server/redaction/redactor';
import { credentialIdsOf } from '@/server/workflow/credentials';
import { MAX_REDACTED } from './outcome';

/**
 * The JSON of a value without the secrets of the credentials that a definition names: as a run of it would store the value. Throws
 * EvaluationFailed if masking a large value takes too long.
 */
export async function jsonWithoutSecrets(
  value: unknown,
  { workspaceId, definition }: { workspaceId: string; definition: Definition },
): Promise<string> {
  const json = JSON.stringify(value);
  const opened = await openCredentials(workspaceId, [...new Set(definition.nodes.flatMap(credentialIdsOf))]);
  const secrets = [...opened.values()].flatMap((credential) => credential.secrets);
  if (secrets.length === 0) return json;
  if (json.length <= MAX_REDACTED) return JSON.stringify(redactor(secrets).value(value));
  const masked = await redactLarge(json, secrets, { workspaceId });
  return masked instanceof LargeJson ? masked.text : JSON.stringify(masked);
}
