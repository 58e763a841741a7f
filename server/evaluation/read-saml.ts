import type { SamlSettings } from '@/server/saml/client';
import type { AssertedIdentity, ProviderLogout, SamlReading } from '@/server/saml/messages';
import { bulk, EvaluationFailed, pool, type Purpose } from './evaluation';

type Reading<Kind> = Extract<SamlReading, { kind: Kind }>;

/** The content of a provider's message, read in an evaluator process. Throws EvaluationFailed; with SAML_INVALID for a message that is refused. */
export function readSaml(
  settings: SamlSettings,
  reading: Reading<'answer'>,
  message: string,
  purpose: Purpose,
): Promise<AssertedIdentity>;
export function readSaml(
  settings: SamlSettings,
  reading: Reading<'logout'>,
  message: string,
  purpose: Purpose,
): Promise<ProviderLogout>;
export async function readSaml(
  settings: SamlSettings,
  reading: SamlReading,
  message: string,
  { workspaceId, signal }: Purpose,
): Promise<AssertedIdentity | ProviderLogout> {
  const job = { kind: 'read-saml', limits: bulk(), reading } as const;
  const result = await pool().run(workspaceId, job, [JSON.stringify(settings), message], signal);
  if (!result.ok) throw new EvaluationFailed(result.failure);
  return JSON.parse(result.answer.texts[0]?.toString() ?? 'null') as AssertedIdentity | ProviderLogout;
}
