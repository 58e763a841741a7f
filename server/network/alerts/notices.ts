import type { AlertEvent, AlertWebhookPayload } from '@/contract/alert';
import type { ExecutionStatus, RunError } from '@/contract/execution';
import { databasePool, prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { anyWaitingSql, fairBatchSql, WorkspaceRoundRobin } from '@/server/platform/db/fair-queue';
import { generateOrderedId } from '@/server/platform/db/ids';
import { runPageUrl } from '@/server/platform/env/run-url';

const ALERT_EVENT_BATCH_SIZE = 50;

interface AlertEventRow {
  id: bigint;
  event: AlertEvent;
  workspaceId: string;
  workflowId: string | null;
  executionId: string | null;
  credentialId: string | null;
  at: Date;
}

const WAITING_ALERT_EVENTS = { table: 'alert_event', key: 'id', order: 'id' } as const;
const TAKE_EVENTS_STATEMENT = `WITH RECURSIVE ${fairBatchSql(WAITING_ALERT_EVENTS, '$1', ALERT_EVENT_BATCH_SIZE)}
DELETE FROM alert_event WHERE id IN (SELECT id FROM taken)
RETURNING event, workspace_id AS "workspaceId", workflow_id AS "workflowId", execution_id AS "executionId",
  credential_id AS "credentialId", at, id`;

const ANY_ALERT_EVENT_QUERY = { name: 'alerts.any', text: anyWaitingSql(WAITING_ALERT_EVENTS) };

const alertEventRoundRobin = new WorkspaceRoundRobin();

/** The oldest events of the workspaces whose turn it is. */
async function takeAlertEvents(db: DatabaseClient): Promise<AlertEventRow[]> {
  const events = await alertEventRoundRobin.take((cursor) =>
    db.$queryRawUnsafe<AlertEventRow[]>(TAKE_EVENTS_STATEMENT, cursor),
  );
  return events.toSorted((one, other) => Number(one.id - other.id));
}

/** The alerts that an event is for. */
const findMatchingAlerts = (
  db: DatabaseClient,
  { event, workspaceId }: AlertEventRow,
  workflow: { id: string; tags: string[] } | null,
) =>
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
async function takeThrottleSlot(
  db: DatabaseClient,
  alert: { id: string; throttleMinutes: number },
  subject: string,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO alert_throttle AS t (alert_id, subject, sent_at) VALUES (${alert.id}, ${subject}, now())
    ON CONFLICT (alert_id, subject) DO UPDATE SET sent_at = now()
      WHERE t.sent_at <= now() - make_interval(mins => ${alert.throttleMinutes}::int)
    RETURNING alert_id`;
  return rows.length > 0;
}

async function findNoticeRun(db: DatabaseClient, id: string | null): Promise<AlertWebhookPayload['execution']> {
  if (id === null) return null;
  const select = { status: true, error: true, startedAt: true, completedAt: true };
  const row = await db.execution.findUnique({ where: { id }, select });
  if (!row) return null;
  return {
    id,
    url: runPageUrl(id),
    status: row.status as ExecutionStatus,
    error: row.error as RunError | null,
    startedAt: row.startedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

async function writeEventNotices(db: DatabaseClient, happened: AlertEventRow): Promise<void> {
  const { event, workspaceId, workflowId, credentialId, executionId, at } = happened;
  const workflow = workflowId
    ? await db.workflow.findUnique({ where: { id: workflowId }, select: { id: true, name: true, tags: true } })
    : null;
  const alerts = await findMatchingAlerts(db, happened, workflow);
  if (alerts.length === 0) return;
  const execution = await findNoticeRun(db, executionId);
  const credential = credentialId
    ? await db.credential.findUnique({ where: { id: credentialId }, select: { id: true, name: true } })
    : null;
  for (const alert of alerts) {
    if (!(await takeThrottleSlot(db, alert, workflowId ?? credentialId ?? ''))) continue;
    const body: AlertWebhookPayload = {
      event,
      alertId: alert.id,
      workspaceId,
      workflow: workflow && { id: workflow.id, name: workflow.name },
      execution,
      ...(credential ? { credential } : {}),
      at: at.toISOString(),
    };
    await db.alertNotice.create({
      data: { id: generateOrderedId('msg'), alertId: alert.id, workspaceId, body: body as object },
    });
  }
}

/**
 * Turns what happened into notices of the alerts that ask for it. An event is removed in the transaction that stores
 * its notices. Answers how many events there were; at most a batch.
 */
export async function writeAlertNotices(): Promise<number> {
  if ((await databasePool().query(ANY_ALERT_EVENT_QUERY)).rowCount === 0) return 0;
  return prismaClient().$transaction(
    async (db) => {
      const events = await takeAlertEvents(db);
      for (const event of events) await writeEventNotices(db, event);
      return events.length;
    },
    { timeout: 30_000 },
  );
}
