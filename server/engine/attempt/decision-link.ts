import { z } from 'zod';
import { isValidSignature, signText } from '@/server/platform/db/signing';
import { getRuntime } from '@/server/platform/runtime';

/**
 * The approval at which the holder of a link may decide without signing in, as which user, and until when (epoch ms).
 */
const DecisionInvitation = z.object({
  executionId: z.string(),
  nodeId: z.string(),
  email: z.string(),
  until: z.number().nullable(),
});
export type DecisionInvitation = z.infer<typeof DecisionInvitation>;

/** Domain separation: the same key also signs other tokens. */
const DECISION_LINK_PURPOSE = 'weft decision link\n';

/** The URL of the page on which its holder can decide once as `email`. */
export function buildDecisionLink(at: Omit<DecisionInvitation, 'until'>, expiresAt: Date | null): string {
  const invited: DecisionInvitation = { ...at, until: expiresAt?.getTime() ?? null };
  const text = Buffer.from(JSON.stringify(invited)).toString('base64url');
  // The fragment is not sent to servers, so it appears in no access log.
  return `${getRuntime().env.apiBaseUrl}/decide#${text}.${signText(DECISION_LINK_PURPOSE, text)}`;
}

/** Verifies the token of a link; null: the signature is wrong, or the token has expired. */
export function readDecisionToken(token: string): DecisionInvitation | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isValidSignature(signature, DECISION_LINK_PURPOSE, text)) return null;
  const invited = DecisionInvitation.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return invited.until !== null && invited.until <= Date.now() ? null : invited;
}
