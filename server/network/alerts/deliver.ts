import type { AlertWebhookPayload } from '@/contract/alert';
import type { Alert } from '@/generated/prisma/client';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { fairBatchSql, WorkspaceRoundRobin } from '@/server/platform/db/fair-queue';
import { LeaseClock } from '@/server/platform/timers/lease-clock';
import { serviceLog } from '@/server/platform/log';
import { sendOutgoingMail } from '@/server/network/mail/mail';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { alertMailText } from './mail-text';
import { signedAlertHeaders } from './signature';

const NOTICE_BATCH_SIZE = 10;
const NOTICE_TIMEOUT_MS = 15_000;
/** The time in which no other process takes the notice. It is longer than a delivery may take. */
const NOTICE_LEASE_SECONDS = 60;
/** Seconds until the next try, by the number of tries. */
const NOTICE_BACKOFF_SECONDS = [30, 120, 600, 3600, 14_400];
const MAX_NOTICE_RESPONSE_BYTES = 65_536;

interface PendingNotice {
  id: string;
  alert_id: string;
  workspaceId: string;
  body: AlertWebhookPayload;
  tries: number;
}

async function deliverNotice(alert: Alert, { id, body }: PendingNotice): Promise<void> {
  if (alert.webhook === null || alert.secret === null) {
    const { subject, text } = alertMailText(body);
    await sendOutgoingMail({ workspaceId: alert.workspaceId, to: alert.emails, subject, text });
    return;
  }
  const text = JSON.stringify(body);
  const { status } = await sendOutboundRequest({
    workspaceId: alert.workspaceId,
    url: alert.webhook,
    method: 'POST',
    headers: signedAlertHeaders(alert.id, alert.secret, id, text),
    body: text,
    timeoutMs: NOTICE_TIMEOUT_MS,
    maxBytes: MAX_NOTICE_RESPONSE_BYTES,
    // The signed message is for this address alone.
    followRedirects: false,
  });
  if (status < 200 || status > 299) throw new Error(`The webhook answered with status ${status}.`);
}

/** Tries one notice. At least once: a process that dies after the delivery leaves it to another, with the same id. */
async function attemptDelivery(notice: PendingNotice, lease: LeaseClock): Promise<void> {
  const { id, alert_id: alertId, tries } = notice;
  const alert = await prismaClient().alert.findUnique({ where: { id: alertId } });
  // A process that was frozen leaves the notice to the one that has it now.
  if (!alert || !lease.isCertain) return;
  const where = { id: alertId };
  try {
    await deliverNotice(alert, notice);
    await prismaClient().alertNotice.deleteMany({ where: { id } });
    await prismaClient().alert.updateMany({ where, data: { lastSentAt: new Date(), lastError: null } });
  } catch (error) {
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    serviceLog().warn({ alert: alertId, tries, err: error }, 'a notice was not delivered');
    await prismaClient().alert.updateMany({ where, data: { lastError } });
    const wait = NOTICE_BACKOFF_SECONDS[tries - 1];
    if (wait === undefined) await prismaClient().alertNotice.deleteMany({ where: { id } });
    else
      await prismaClient().alertNotice.updateMany({
        where: { id },
        data: { dueAt: new Date(Date.now() + wait * 1000) },
      });
  }
}

const WAITING_NOTICES = { table: 'alert_notice', key: 'id', order: 'due_at' } as const;
const TAKE_NOTICES_STATEMENT = `WITH RECURSIVE ${fairBatchSql(WAITING_NOTICES, '$1', NOTICE_BATCH_SIZE)}
UPDATE alert_notice SET tries = tries + 1, due_at = now() + interval '${NOTICE_LEASE_SECONDS} seconds'
WHERE id IN (SELECT id FROM taken) RETURNING id, alert_id, workspace_id AS "workspaceId", body, tries`;

const noticeRoundRobin = new WorkspaceRoundRobin();

/** Delivers notices that are due, in turns by workspace. Answers how many it tried; at most a batch. */
export async function deliverDueNotices(): Promise<number> {
  const take = async (cursor: string) =>
    (await databasePool().query<PendingNotice>({ name: 'alerts.take', text: TAKE_NOTICES_STATEMENT, values: [cursor] }))
      .rows;
  const lease = new LeaseClock(NOTICE_LEASE_SECONDS * 1000);
  const notices = await noticeRoundRobin.take(take);
  await Promise.all(notices.map((notice) => attemptDelivery(notice, lease)));
  return notices.length;
}
