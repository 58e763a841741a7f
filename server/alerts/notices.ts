import type { AlertEvent, AlertNotice } from '@/contract/alert';
import type { ExecutionStatus, RunError } from '@/contract/execution';
import { pool, prisma, type Db } from '@/server/db/client';
import { anyWaiting, fairBatch, RoundRobin } from '@/server/db/fair-queue';
import { newOrderedId } from '@/server/db/ids';
import { runUrl } from '@/server/env/run-url';

const BATCH = 50;

interface Happened {
  id: bigint;
  event: AlertEvent;
  workspaceId: string;
  workflowId: string | null;
  executionId: string | null;
  credentialId: string | null;
  at: Date;
}

const WAITING = { table: 'alert_event', key: 'id', order: 'id' } as const;
const TAKE = `WITH RECURSIVE ${fairBatch(WAITING, '$1', BATCH)}
DELETE FROM alert_event WHERE id IN (SELECT id FROM taken)
RETURNING event, workspace_id AS "workspaceId", workflow_id AS "workflowId", execution_id AS "executionId",
  credential_id AS "credentialId", at, id`;

const IS_ANY = { name: 'alerts.any', text: anyWaiting(WAITING) };

const turns = new RoundRobin();

/** The oldest events of the workspaces whose turn it is. */
async function takeEvents(db: Db): Promise<Happened[]> {
  const events = await turns.take((cursor) => db.$queryRawUnsafe<Happened[]>(TAKE, cursor));
  return events.toSorted((one, other) => Number(one.id - other.id));
}

/** The alerts that an event is for. */
const alertsFor = (db: Db, { event, workspaceId }: Happened, workflow: { id: string; tags: string[] } | null) =>
  db.alert.findMany({
    where: {
      workspaceId,
      event,
      isEnabled: true,
      OR: [
        { workflowId: null, tag: null },
        ...(workflow ? [{ workflowId: workflow.id }, { workflowId: null, tag: { in: workflow.tags } }] : []),
      ],
    },
    select: { id: true, throttleMinutes: true },
  });

/** True, and remembered, unless the alert was sent for the same subject within its time. */
async function mayBeSent(db: Db, alert: { id: string; throttleMinutes: number }, subject: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO alert_throttle AS t (alert_id, subject, sent_at) VALUES (${alert.id}, ${subject}, now())
    ON CONFLICT (alert_id, subject) DO UPDATE SET sent_at = now()
      WHERE t.sent_at <= now() - make_interval(mins => ${alert.throttleMinutes}::int)
    RETURNING alert_id`;
  return rows.length > 0;
}

async function executionOf(db: Db, id: string | null): Promise<AlertNotice['execution']> {
  if (id === null) return null;
  const select = { status: true, error: true, startedAt: true, completedAt: true };
  const row = await db.execution.findUnique({ where: { id }, select });
  if (!row) return null;
  return {
    id,
    url: runUrl(id),
    status: row.status as ExecutionStatus,
    error: row.error as RunError | null,
    startedAt: row.startedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

async function notify(db: Db, happened: Happened): Promise<void> {
  const { event, workspaceId, workflowId, credentialId, executionId, at } = happened;
  const workflow = workflowId
    ? await db.workflow.findUnique({ where: { id: workflowId }, select: { id: true, name: true, tags: true } })
    : null;
  const alerts = await alertsFor(db, happened, workflow);
  if (alerts.length === 0) return;
  const execution = await executionOf(db, executionId);
  const credential = credentialId
    ? await db.credential.findUnique({ where: { id: credentialId }, select: { id: true, name: true } })
    : null;
  for (const alert of alerts) {
    if (!(await mayBeSent(db, alert, workflowId ?? credentialId ?? ''))) continue;
    const body: AlertNotice = {
      event,
      alertId: alert.id,
      workspaceId,
      workflow: workflow && { id: workflow.id, name: workflow.name },
      execution,
      ...(credential ? { credential } : {}),
      at: at.toISOString(),
    };
    await db.alertNotice.create({
      data: { id: newOrderedId('msg'), alertId: alert.id, workspaceId, body: body as object },
    });
  }
}

/**
 * Turns what happened into notices of the alerts that ask for it. An event is removed in the transaction that stores its
 * notices. Answers how many events there were; at most a batch.
 */
export async function writeNotices(): Promise<number> {
  if ((await pool().query(IS_ANY)).rowCount === 0) return 0;
  return prisma().$transaction(
    async (db) => {
      const events = await takeEvents(db);
      for (const event of events) await notify(db, event);
      return events.length;
    },
    { timeout: 30_000 },
  );
}
