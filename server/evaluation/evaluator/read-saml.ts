import type { SamlSettings } from '@/server/evaluation/saml/client';
import type { AssertedIdentity, ProviderLogout, SamlReading } from '@/server/evaluation/saml/messages';
import { bulkWorkLimits, EvaluationFailedError, evaluatorPool, type EvaluationContext } from './evaluation';

type SamlReadingOfKind<Kind> = Extract<SamlReading, { kind: Kind }>;

/**
 * The content of a provider's message, read in an evaluator process. Throws EvaluationFailed; with SAML_INVALID for a
 * message that is refused.
 */
export function readSamlMessage(
  settings: SamlSettings,
  reading: SamlReadingOfKind<'answer'>,
  message: string,
  purpose: EvaluationContext,
): Promise<AssertedIdentity>;
export function readSamlMessage(
  settings: SamlSettings,
  reading: SamlReadingOfKind<'logout'>,
  message: string,
  purpose: EvaluationContext,
): Promise<ProviderLogout>;
export async function readSamlMessage(
  settings: SamlSettings,
  reading: SamlReading,
  message: string,
  { workspaceId, signal }: EvaluationContext,
): Promise<AssertedIdentity | ProviderLogout> {
  const job = { kind: 'read-saml', limits: bulkWorkLimits(), reading } as const;
  const result = await evaluatorPool().run(workspaceId, job, [JSON.stringify(settings), message], signal);
  if (!result.ok) throw new EvaluationFailedError(result.failure);
  return JSON.parse(result.message.texts[0]?.toString() ?? 'null') as AssertedIdentity | ProviderLogout;
}
