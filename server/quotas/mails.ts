import type { FieldError } from '@/contract/error';
import { QUOTAS, type DailyQuotaUse } from '@/contract/quota';
import type { Tier } from '@/contract/tier';
import { forbidden, Problem } from '@/server/errors/problem';
import { systemRoleId } from '@/server/db/system-role-id';
import { pool, type Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { returnDaily, nextDay, takenDaily, takeDaily } from './daily';
import { useOf } from './quota';

type MailQuota = 'mailsPerDay' | 'invitationsPerDay';

const scopeOf = (quota: MailQuota, workspaceId: string) => `${quota}:${workspaceId}`;

const usedUp = (what: string, limit: number | null) =>
  `The workspace’s quota of ${what} per day is used up: ${limit?.toLocaleString('en')}. It resets at ${nextDay().toISOString()}.`;

/** Why a workspace may not send a mail through the service's server. */
export interface MailRefusal {
  code: 'MAIL_QUOTA' | 'MAIL_UNVERIFIED';
  message: string;
}

const SENDER = {
  name: 'mail-sender',
  text: `
    SELECT w.tier, EXISTS (
      SELECT FROM role_assignment a JOIN app_user u ON u.id = a.user_id
      WHERE a.workspace_id = w.id AND a.role_id = '${systemRoleId('owner')}' AND a.resource_type IS NULL
        AND (u.email_proven_at IS NOT NULL OR u.is_mail_trusted)
    ) AS "isVerified"
    FROM workspace w WHERE w.id = $1`,
};

const UNVERIFIED =
  'No owner of this workspace has confirmed their email address yet. Until one does, no mail is sent through this service.';

interface Sender {
  tier: Tier;
  isVerified: boolean;
}

/** The tier of a workspace, and whether one of its owners has a proven address. */
async function senderOf(workspaceId: string): Promise<Sender> {
  const { rows } = await pool().query<Sender>({ ...SENDER, values: [workspaceId] });
  // A deleted workspace may still have runs that end.
  const { tier, isVerified }: Sender = rows[0] ?? { tier: 'free', isVerified: false };
  // Where users are invited, an administrator has verified their identity.
  return { tier, isVerified: isVerified || !runtime().env.multiTenant };
}

/** Takes one mail per recipient out of the workspace's daily quota; returns why it may send none, or null. */
export async function takeMails(db: Db, workspaceId: string, recipients: number): Promise<MailRefusal | null> {
  const sender = await senderOf(workspaceId);
  if (!sender.isVerified) return { code: 'MAIL_UNVERIFIED', message: UNVERIFIED };
  const limit = QUOTAS[sender.tier].mailsPerDay;
  if (await takeDaily(db, scopeOf('mailsPerDay', workspaceId), recipients, limit)) return null;
  return { code: 'MAIL_QUOTA', message: usedUp('mails', limit) };
}

/** For a mail that no server accepted. */
export const returnMails = (workspaceId: string, recipients: number): Promise<void> =>
  returnDaily(scopeOf('mailsPerDay', workspaceId), recipients);

/**
 * Takes an invitation out of the workspace's daily quota. Throws RATE_LIMITED if the quota is used up, and FORBIDDEN for an invitation that
 * is mailed by a workspace that may send none.
 */
export async function countInvitation(db: Db, workspaceId: string, isMailed: boolean): Promise<void> {
  const sender = await senderOf(workspaceId);
  if (isMailed && !sender.isVerified) throw forbidden(UNVERIFIED);
  const limit = QUOTAS[sender.tier].invitationsPerDay;
  if (await takeDaily(db, scopeOf('invitationsPerDay', workspaceId), 1, limit)) return;
  const details = [{ field: 'quotas.invitationsPerDay', message: `${limit} of ${limit} are used` }];
  throw tooManyToday(usedUp('invitations', limit), details);
}

/** The error for an exhausted daily quota. */
export function tooManyToday(message: string, details: FieldError[] = []): Problem {
  const seconds = Math.ceil((nextDay().getTime() - Date.now()) / 1000);
  return new Problem('RATE_LIMITED', message, details, { headers: { 'Retry-After': String(seconds) } });
}

/** Mails that a workspace has sent today. */
export async function mailUse(quota: MailQuota, workspaceId: string, tier: Tier): Promise<DailyQuotaUse> {
  const used = await takenDaily(scopeOf(quota, workspaceId));
  return { ...useOf(used, QUOTAS[tier][quota]), resetAt: nextDay().toISOString() };
}
