import { z } from 'zod';
import { isSigned, signatureOf } from '@/server/db/signing';
import { runtime } from '@/server/runtime';

/** The approval at which the holder of a link may decide without signing in, as which user, and until when (epoch ms). */
const Invited = z.object({
  executionId: z.string(),
  nodeId: z.string(),
  email: z.string(),
  until: z.number().nullable(),
});
export type Invited = z.infer<typeof Invited>;

/** Domain separation: the same key also signs other tokens. */
const PURPOSE = 'weft decision link\n';

/** The URL of the page on which its holder can decide once as `email`. */
export function decisionLink(at: Omit<Invited, 'until'>, expiresAt: Date | null): string {
  const invited: Invited = { ...at, until: expiresAt?.getTime() ?? null };
  const text = Buffer.from(JSON.stringify(invited)).toString('base64url');
  // The fragment is not sent to servers, so it appears in no access log.
  return `${runtime().env.apiBaseUrl}/decide#${text}.${signatureOf(PURPOSE, text)}`;
}

/** Verifies the token of a link; null: the signature is wrong, or the token has expired. */
export function readDecisionToken(token: string): Invited | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isSigned(signature, PURPOSE, text)) return null;
  const invited = Invited.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return invited.until !== null && invited.until <= Date.now() ? null : invited;
}
