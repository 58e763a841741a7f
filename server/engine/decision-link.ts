import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { runtime } from '../runtime';

/** At which approval somebody may decide without signing in, as whom, and until when (epoch milliseconds). */
const Invited = z.object({
  executionId: z.string(),
  nodeId: z.string(),
  email: z.string(),
  until: z.number().nullable(),
});
export type Invited = z.infer<typeof Invited>;

/** The key signs other things as well; this keeps them apart. */
const PURPOSE = 'weft decision link\n';
const sign = (text: string) =>
  createHmac('sha256', runtime().env.jwtSecret).update(PURPOSE).update(text).digest('base64url');

/** The page where whoever has this address can decide, once, as `email`. */
export function decisionLink(at: Omit<Invited, 'until'>, expiresAt: Date | null): string {
  const invited: Invited = { ...at, until: expiresAt?.getTime() ?? null };
  const text = Buffer.from(JSON.stringify(invited)).toString('base64url');
  // Behind the #, it reaches no server's log.
  return `${runtime().env.apiBaseUrl}/decide#${text}.${sign(text)}`;
}

/** What a link's token allows; null: it isn't ours, or its time is over. */
export function readDecisionToken(token: string): Invited | null {
  const [text = '', signature = ''] = token.split('.');
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(text))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const invited = Invited.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return invited.until !== null && invited.until <= Date.now() ? null : invited;
}
