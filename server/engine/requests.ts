import type { DecisionWord, Trigger } from '@/contract/execution';
import type { Definition } from '@/contract/workflow';
import type { AuditRow } from '../api/operation';
import { pool, type Db } from '../db/client';
import { gather } from '../db/gather';
import { newOrderedId } from '../db/ids';
import { dispatcher } from '../dispatch/dispatcher';
import { CHANNELS, payloads } from './channels';
import { namesNode } from './definition';

/** A run that somebody asks for. */
export interface NewRun {
  workspaceId: string;
  workflowId: string;
  /** The version that it will run, whatever becomes of the workflow. */
  workflowVersion: number;
  trigger: Trigger;
  /** Any JSON value; kept as it is. */
  input: unknown;
  createdBy: string | null;
  /** Only this node and what leads to it are run; absent: everything. */
  untilNodeId?: string | null;
}

export interface Submitted {
  executionId: string;
  /** ISO 8601. */
  startedAt: string;
}

/** The call of a webhook that asks for a run. */
export interface NewDelivery {
  id: string;
  webhookId: string;
  /** The sender's own id: of several deliveries with the same one, only the first starts a run. */
  senderId: string | null;
  /** The delivery that this one repeats on a person's behalf. */
  replayOf: string | null;
  ipAddress: string;
  userAgent: string;
}

interface Submission extends Submitted {
  run: NewRun;
  inputJson: string;
  audit: AuditRow | undefined;
  delivery: NewDelivery | undefined;
}

/** What goes along with a run, or neither is stored. */
interface Along {
  /** A transaction that all of it shall be part of. */
  db?: Db;
  audit?: AuditRow;
}

const SUBMIT = `
WITH delivered AS (
  INSERT INTO webhook_delivery (id, webhook_id, verdict, sender_id, unique_id, replay_of, execution_id, ip_address, user_agent)
  SELECT id, webhook_id, 'accepted', nullif(sender_id, ''), nullif(sender_id, ''), nullif(replay_of, ''), execution_id, ip_address, user_agent
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS d(id, webhook_id, sender_id, replay_of, execution_id, ip_address, user_agent)
  ON CONFLICT (webhook_id, unique_id) DO NOTHING
  RETURNING execution_id
),
stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by, created_at, started_at, until_node)
  SELECT id, workspace_id, workflow_id, version, 'pending', trigger, input, nullif(created_by, ''), at, at, nullif(until_node, '')
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[]::int[], $12::text[], $13::text[]::json[], $14::text[], $15::text[]::timestamptz[], $26::text[])
    AS e(id, workspace_id, workflow_id, version, trigger, input, created_by, at, until_node)
  WHERE id <> ALL($5::text[]) OR id IN (SELECT execution_id FROM delivered)
  RETURNING id
),
recorded AS (
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  SELECT id, nullif(workspace_id, ''), category, action, result, actor, resource, metadata
  FROM unnest($16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[]::json[], $23::text[]::json[], $24::text[]::json[])
    AS a(execution_id, id, workspace_id, category, action, result, actor, resource, metadata)
  WHERE execution_id IN (SELECT id FROM stored)
)
SELECT array(SELECT id FROM stored) AS stored, count(pg_notify(channel, ''))::int AS notified FROM unnest($25::text[]) channel`;

/** Two processes that store the same ids wait for each other in the same order. */
const byUniqueId = (one: NewDelivery, other: NewDelivery) =>
  `${one.webhookId} ${one.senderId}` < `${other.webhookId} ${other.senderId}` ? -1 : 1;

/** `isNotified`: the commit tells workers. */
function parameters(submissions: Submission[], isNotified: boolean): string[][] {
  const runs = <Part>(pick: (run: NewRun) => Part) => submissions.map(({ run }) => pick(run));
  const deliveries = submissions
    .flatMap(({ delivery, executionId }) => (delivery ? { ...delivery, executionId } : []))
    .toSorted(byUniqueId);
  const entries = submissions.flatMap(({ audit, executionId }) => (audit ? { ...audit, executionId } : []));
  return [
    deliveries.map(({ id }) => id),
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ senderId }) => senderId ?? ''),
    deliveries.map(({ replayOf }) => replayOf ?? ''),
    deliveries.map(({ executionId }) => executionId),
    deliveries.map(({ ipAddress }) => ipAddress),
    deliveries.map(({ userAgent }) => userAgent),
    submissions.map(({ executionId }) => executionId),
    runs((run) => run.workspaceId),
    runs((run) => run.workflowId),
    runs((run) => String(run.workflowVersion)),
    runs((run) => run.trigger),
    submissions.map(({ inputJson }) => inputJson),
    runs((run) => run.createdBy ?? ''),
    submissions.map(({ startedAt }) => startedAt),
    entries.map((entry) => entry.executionId),
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.workspaceId ?? ''),
    entries.map((entry) => entry.category),
    entries.map((entry) => entry.action),
    entries.map((entry) => entry.result),
    entries.map((entry) => JSON.stringify(entry.actor)),
    entries.map((entry) => JSON.stringify(entry.resource)),
    entries.map((entry) => JSON.stringify(entry.metadata)),
    isNotified ? [CHANNELS.work] : [],
    runs((run) => run.untilNodeId ?? ''),
  ];
}

const store = gather<Submission, boolean>(
  async (submissions) => {
    const { isInDatabase, offer } = dispatcher();
    const statement = { name: 'engine.submit', text: SUBMIT, values: parameters(submissions, isInDatabase) };
    const { rows } = await pool().query<{ stored: string[] }>(statement);
    offer();
    const stored = new Set(rows[0]?.stored);
    return submissions.map(({ executionId }) => stored.has(executionId));
  },
  { weigh: ({ inputJson }) => inputJson.length },
);

async function hand(run: NewRun, delivery: NewDelivery | undefined, { db, audit }: Along): Promise<Submitted | null> {
  const submitted = { executionId: newOrderedId('exec'), startedAt: new Date().toISOString() };
  const submission = { ...submitted, run, inputJson: JSON.stringify(run.input) ?? 'null', audit, delivery };
  if (!db) return (await store(submission)) ? submitted : null;
  const [row] = await db.$queryRawUnsafe<{ stored: string[] }[]>(SUBMIT, ...parameters([submission], true));
  return row?.stored.length ? submitted : null;
}

/**
 * Asks for a run. Resolves once it is stored for good: together with other requests of the moment, or, given `db`, as
 * part of that transaction. `audit` is written along, or neither is. Rejects when the workflow is gone.
 */
export async function submit(run: NewRun, along: Along = {}): Promise<Submitted> {
  const submitted = await hand(run, undefined, along);
  if (!submitted) throw new Error('A run that nothing speaks against was not stored');
  return submitted;
}

/**
 * The same for a delivery, which is stored along. Null, and nothing is stored, when the webhook has had one with this
 * sender's id.
 */
export const submitDelivery = (run: NewRun, delivery: NewDelivery, along: Along = {}): Promise<Submitted | null> =>
  hand(run, delivery, along);

/** Wakes whoever has these runs, or somebody to take them; heard when the transaction commits. */
async function wake(db: Db, ids: string[]): Promise<void> {
  await db.$queryRaw`
    SELECT count(pg_notify(${CHANNELS.wishes}, payload))::int, count(pg_notify(${CHANNELS.work}, ''))::int
    FROM unnest(${payloads(ids)}::text[]) payload`;
}

/**
 * Asks for runs to be cancelled. Answers the ids of those that weren't final: they end as failed with CANCELLED,
 * whatever they come to meanwhile, and no node of theirs starts any more. Runs that they wait for go along.
 */
export async function cancel(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE family AS (
      SELECT id FROM execution WHERE id = ANY(${ids}::text[])
      UNION
      SELECT c.id FROM family JOIN execution c ON c.parent_id = family.id
      WHERE c.is_awaited AND c.status NOT IN ('completed', 'failed')
    )
    UPDATE execution SET cancel_requested_at = coalesce(cancel_requested_at, now()), available_at = now()
    WHERE id IN (SELECT id FROM family) AND status NOT IN ('completed', 'failed')
    RETURNING id`;
  const cancelled = rows.map(({ id }) => id);
  if (cancelled.length > 0) await wake(db, cancelled);
  return ids.filter((id) => cancelled.includes(id));
}

export interface DecisionRequest {
  workspaceId: string;
  executionId: string;
  /** The node's path: its id, inside for_each rounds `loop[3].inner`. */
  nodeId: string;
  decision: DecisionWord;
  comment: string | null;
  /** Who decided, as later nodes and readers see it. */
  decidedBy: string;
}

/** `not-waiting`: nobody asks for this decision, or not any more; somebody else may just have made it. */
export type DecisionAnswer = 'decided' | 'unknown-execution' | 'unknown-node' | 'not-waiting';

/** Makes a decision at an approval. Of several at once exactly one is `decided`. */
export async function decide(db: Db, request: DecisionRequest): Promise<DecisionAnswer> {
  const { workspaceId, executionId, nodeId, decision, comment, decidedBy } = request;
  const [execution] = await db.$queryRaw<{ is_open: boolean; workflow_id: string; workflow_version: number }[]>`
    SELECT status NOT IN ('completed', 'failed') AND cancel_requested_at IS NULL AS is_open, workflow_id, workflow_version
    FROM execution WHERE id = ${executionId} AND workspace_id = ${workspaceId} FOR UPDATE`;
  if (!execution) return 'unknown-execution';
  const result = await db.nodeResult.findUnique({
    where: { executionId_nodeId: { executionId, nodeId } },
    select: { status: true },
  });
  if (!result) {
    const where = { workflowId: execution.workflow_id, version: execution.workflow_version };
    const version = await db.workflowVersion.findUnique({
      where: { workflowId_version: where },
      select: { definition: true },
    });
    return version && namesNode(version.definition as Definition, nodeId) ? 'not-waiting' : 'unknown-node';
  }
  if (!execution.is_open || result.status !== 'paused') return 'not-waiting';
  const data = { executionId, nodeId, decision, comment, decidedBy };
  const { count } = await db.decision.createMany({ data, skipDuplicates: true });
  if (count === 0) return 'not-waiting';
  await db.$executeRaw`UPDATE execution SET available_at = now() WHERE id = ${executionId}`;
  await wake(db, [executionId]);
  return 'decided';
}
