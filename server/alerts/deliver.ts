import type { AlertNotice } from '@/contract/alert';
import type { Alert } from '@/generated/prisma/client';
import { pool, prisma } from '@/server/db/client';
import { fairBatch, RoundRobin } from '@/server/db/fair-queue';
import { LeaseClock } from '@/server/lease-clock';
import { log } from '@/server/log';
import { sendMail } from '@/server/mail/mail';
import { request } from '@/server/outbound/outbound';
import { mailOf } from './mail-text';
import { signedHeaders } from './signature';

const BATCH = 10;
const TIMEOUT_MS = 15_000;
/** How long a process has a notice to itself; longer than a delivery may take. */
const LEASE_S = 60;
/** Seconds until the next try, by the number of tries. */
const BACKOFF_S = [30, 120, 600, 3600, 14_400];
const MAX_ANSWER = 65_536;

interface Notice {
  id: string;
  alert_id: string;
  workspaceId: string;
  body: AlertNotice;
  tries: number;
}

async function deliver(alert: Alert, { id, body }: Notice): Promise<void> {
  if (alert.webhook === null || alert.secret === null) {
    const { subject, text } = mailOf(body);
    await sendMail({ workspaceId: alert.workspaceId, to: alert.emails, subject, text });
    return;
  }
  const text = JSON.stringify(body);
  const { status } = await request({
    workspaceId: alert.workspaceId,
    url: alert.webhook,
    method: 'POST',
    headers: signedHeaders(alert.id, alert.secret, id, text),
    body: text,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER,
    // The signed message is for this address alone.
    followRedirects: false,
  });
  if (status < 200 || status > 299) throw new Error(`The webhook answered with status ${status}.`);
}

/** Tries one notice. At least once: a process that dies after the delivery leaves it to another, with the same id. */
async function attempt(notice: Notice, lease: LeaseClock): Promise<void> {
  const { id, alert_id: alertId, tries } = notice;
  const alert = await prisma().alert.findUnique({ where: { id: alertId } });
  // A process that was frozen leaves the notice to the one that has it now.
  if (!alert || !lease.isCertain) return;
  const where = { id: alertId };
  try {
    await deliver(alert, notice);
    await prisma().alertNotice.deleteMany({ where: { id } });
    await prisma().alert.updateMany({ where, data: { lastSentAt: new Date(), lastError: null } });
  } catch (error) {
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    log().warn({ alert: alertId, tries, err: error }, 'a notice was not delivered');
    await prisma().alert.updateMany({ where, data: { lastError } });
    const wait = BACKOFF_S[tries - 1];
    if (wait === undefined) await prisma().alertNotice.deleteMany({ where: { id } });
    else await prisma().alertNotice.updateMany({ where: { id }, data: { dueAt: new Date(Date.now() + wait * 1000) } });
  }
}

const WAITING = { table: 'alert_notice', key: 'id', order: 'due_at' } as const;
const TAKE = `WITH RECURSIVE ${fairBatch(WAITING, '$1', BATCH)}
UPDATE alert_notice SET tries = tries + 1, due_at = now() + interval '${LEASE_S} seconds'
WHERE id IN (SELECT id FROM taken) RETURNING id, alert_id, workspace_id AS "workspaceId", body, tries`;

const turns = new RoundRobin();

/** Delivers notices that are due, in turns by workspace. Answers how many it tried; at most a batch. */
export async function deliverNotices(): Promise<number> {
  const take = async (cursor: string) =>
    (await pool().query<Notice>({ name: 'alerts.take', text: TAKE, values: [cursor] })).rows;
  const lease = new LeaseClock(LEASE_S * 1000);
  const notices = await turns.take(take);
  await Promise.all(notices.map((notice) => attempt(notice, lease)));
  return notices.length;
}
