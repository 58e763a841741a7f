import type { FieldIssue } from '@/contract/error-response';
import { QUOTAS_BY_TIER, type DailyQuotaUsage } from '@/contract/quota';
import type { WorkspaceTier } from '@/contract/tier';
import { forbiddenProblem, ApiProblem } from '@/server/platform/errors/problem';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { returnDailyCount, nextUtcMidnight, readDailyCount, takeDailyCount } from './daily';
import { toQuotaUse } from './quota';

type DailyMailQuota = 'mailsPerDay' | 'invitationsPerDay';

const mailQuotaScope = (quota: DailyMailQuota, workspaceId: string) => `${quota}:${workspaceId}`;

const quotaUsedUpText = (what: string, limit: number | null) =>
  `The workspace’s quota of ${what} per day is used up: ${limit?.toLocaleString('en')}. It resets at ${nextUtcMidnight().toISOString()}.`;

/** Why a workspace may not send a mail through the service's server. */
export interface MailRefusal {
  code: 'MAIL_QUOTA' | 'MAIL_UNVERIFIED';
  message: string;
}

const MAIL_SENDER_QUERY = {
  name: 'mail-sender',
  text: `
    SELECT w.tier, EXISTS (
      SELECT FROM role_assignment a JOIN app_user u ON u.id = a.user_id
      WHERE a.workspace_id = w.id AND a.role_id = '${systemRoleId('owner')}' AND a.resource_type IS NULL
        AND (u.email_proven_at IS NOT NULL OR u.is_mail_trusted)
    ) AS "isVerified"
    FROM workspace w WHERE w.id = $1`,
};

const UNVERIFIED_OWNER_TEXT =
  'No owner of this workspace has confirmed their email address yet. Until one does, no mail is sent through this service.';

interface MailSender {
  tier: WorkspaceTier;
  isVerified: boolean;
}

/** The tier of a workspace, and whether one of its owners has a proven address. */
async function findMailSender(workspaceId: string): Promise<MailSender> {
  const { rows } = await databasePool().query<MailSender>({ ...MAIL_SENDER_QUERY, values: [workspaceId] });
  // A deleted workspace may still have runs that end.
  const { tier, isVerified }: MailSender = rows[0] ?? { tier: 'free', isVerified: false };
  // Where users are invited, an administrator has verified their identity.
  return { tier, isVerified: isVerified || !getRuntime().env.multiTenant };
}

/** Takes one mail per recipient out of the workspace's daily quota; returns why it may send none, or null. */
export async function takeMailQuotaCount(
  db: DatabaseClient,
  workspaceId: string,
  recipients: number,
): Promise<MailRefusal | null> {
  const sender = await findMailSender(workspaceId);
  if (!sender.isVerified) return { code: 'MAIL_UNVERIFIED', message: UNVERIFIED_OWNER_TEXT };
  const limit = QUOTAS_BY_TIER[sender.tier].mailsPerDay;
  if (await takeDailyCount(db, mailQuotaScope('mailsPerDay', workspaceId), recipients, limit)) return null;
  return { code: 'MAIL_QUOTA', message: quotaUsedUpText('mails', limit) };
}

/** For a mail that no server accepted. */
export const returnMailQuotaCount = (workspaceId: string, recipients: number): Promise<void> =>
  returnDailyCount(mailQuotaScope('mailsPerDay', workspaceId), recipients);

/**
 * Takes an invitation out of the workspace's daily quota. Throws RATE_LIMITED if the quota is used up, and FORBIDDEN
 * for an invitation that is mailed by a workspace that may send none.
 */
export async function takeInvitationQuota(db: DatabaseClient, workspaceId: string, isMailed: boolean): Promise<void> {
  const sender = await findMailSender(workspaceId);
  if (isMailed && !sender.isVerified) throw forbiddenProblem(UNVERIFIED_OWNER_TEXT);
  const limit = QUOTAS_BY_TIER[sender.tier].invitationsPerDay;
  if (await takeDailyCount(db, mailQuotaScope('invitationsPerDay', workspaceId), 1, limit)) return;
  const details = [{ field: 'quotas.invitationsPerDay', message: `${limit} of ${limit} are used` }];
  throw dailyQuotaProblem(quotaUsedUpText('invitations', limit), details);
}

/** The error for an exhausted daily quota. */
export function dailyQuotaProblem(message: string, details: FieldIssue[] = []): ApiProblem {
  const seconds = Math.ceil((nextUtcMidnight().getTime() - Date.now()) / 1000);
  return new ApiProblem('RATE_LIMITED', message, details, { headers: { 'Retry-After': String(seconds) } });
}

/** Mails that a workspace has sent today. */
export async function readMailQuotaUse(
  quota: DailyMailQuota,
  workspaceId: string,
  tier: WorkspaceTier,
): Promise<DailyQuotaUsage> {
  const used = await readDailyCount(mailQuotaScope(quota, workspaceId));
  return { ...toQuotaUse(used, QUOTAS_BY_TIER[tier][quota]), resetAt: nextUtcMidnight().toISOString() };
}
