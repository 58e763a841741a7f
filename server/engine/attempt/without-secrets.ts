import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { openCredentials } from '@/server/connectors/vault';
import { redactLargeValue } from '@/server/evaluation/evaluator/evaluation';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { nodeCredentialIds } from '@/server/workflow/definition/credentials';
import { MAX_REDACTED_LOCALLY } from './outcome';

/**
 * The JSON of a value without the secrets of the credentials that a definition names: as a run of it would store the
 * value. Throws EvaluationFailed if masking a large value takes too long.
 */
export async function serializeWithoutSecrets(
  value: unknown,
  { workspaceId, definition }: { workspaceId: string; definition: WorkflowDefinition },
): Promise<string> {
  const json = JSON.stringify(value);
  const opened = await openCredentials(workspaceId, [...new Set(definition.nodes.flatMap(nodeCredentialIds))]);
  const secrets = [...opened.values()].flatMap((credential) => credential.secrets);
  if (secrets.length === 0) return json;
  if (json.length <= MAX_REDACTED_LOCALLY) return JSON.stringify(createRedactor(secrets).value(value));
  const masked = await redactLargeValue(json, secrets, { workspaceId });
  return masked instanceof LargeJsonText ? masked.text : JSON.stringify(masked);
}
