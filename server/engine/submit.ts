import type { Trigger } from '@/contract/execution';
import type { AuditRow } from '../api/operation';
import { pool, type Db } from '../db/client';
import { gather } from '../db/gather';
import { newOrderedId } from '../db/ids';
import { dispatcher } from '../dispatch/dispatcher';
import { CHANNELS } from './channels';
import type { ClaimedRun } from './claim';
import { placesFor, type Places } from './handover';

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

/**
 * A run that has a place with a worker ($27) is that worker's from the start, unless its lease is gone or a limit may
 * have to hold the run back.
 */
const statement = (taker: string) => `
WITH taker AS MATERIALIZED (${taker}),
limited AS MATERIALIZED (
  SELECT w.id FROM workflow w JOIN workspace s ON s.id = w.workspace_id
  WHERE w.id = ANY($10::text[]) AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL)
),
delivered AS (
  INSERT INTO webhook_delivery (id, webhook_id, verdict, sender_id, unique_id, replay_of, execution_id, ip_address, user_agent)
  SELECT id, webhook_id, 'accepted', nullif(sender_id, ''), nullif(sender_id, ''), nullif(replay_of, ''), execution_id, ip_address, user_agent
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    AS d(id, webhook_id, sender_id, replay_of, execution_id, ip_address, user_agent)
  ON CONFLICT (webhook_id, unique_id) DO NOTHING
  RETURNING execution_id
),
stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by, created_at, started_at, until_node,
    worker_id, available_at, claims)
  SELECT e.id, workspace_id, workflow_id, version, 'pending', trigger, input, nullif(created_by, ''), at, at, nullif(until_node, ''),
    taker.id, CASE WHEN taker.id IS NULL THEN now() END, CASE WHEN taker.id IS NULL THEN 0 ELSE 1 END
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[]::int[], $12::text[], $13::text[]::json[], $14::text[], $15::text[]::timestamptz[], $26::text[], $28::text[]::bool[])
    AS e(id, workspace_id, workflow_id, version, trigger, input, created_by, at, until_node, has_place)
  LEFT JOIN taker ON e.has_place AND e.workflow_id NOT IN (SELECT id FROM limited)
  WHERE e.id <> ALL($5::text[]) OR e.id IN (SELECT execution_id FROM delivered)
  RETURNING id, worker_id
),
recorded AS (
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  SELECT id, nullif(workspace_id, ''), category, action, result, actor, resource, metadata
  FROM unnest($16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[]::json[], $23::text[]::json[], $24::text[]::json[])
    AS a(execution_id, id, workspace_id, category, action, result, actor, resource, metadata)
  WHERE execution_id IN (SELECT id FROM stored)
)
SELECT array(SELECT id FROM stored) AS stored, array(SELECT id FROM stored WHERE worker_id IS NOT NULL) AS handed,
  now() AS at, (SELECT count(pg_notify(channel, '')) FROM unnest($25::text[]) channel
    WHERE EXISTS (SELECT FROM stored WHERE worker_id IS NULL))`;

const SUBMIT = statement('SELECT $27::text AS id WHERE false');
const HAND_OVER = statement('SELECT id FROM worker WHERE id = $27 FOR KEY SHARE');

/** Two processes that store the same ids wait for each other in the same order. */
const byUniqueId = (one: NewDelivery, other: NewDelivery) =>
  `${one.webhookId} ${one.senderId}` < `${other.webhookId} ${other.senderId}` ? -1 : 1;

/** `isNotified`: the commit tells workers of what is for anybody to take. */
function parameters(submissions: Submission[], isNotified: boolean, places?: Places): (string | string[])[] {
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
    places?.workerId ?? '',
    submissions.map(({ executionId }) => (places?.ids.has(executionId) ? 'true' : 'false')),
  ];
}

/** The run as its worker has it from the first moment. */
const handedRun = ({ executionId, run }: Submission, claimedAt: Date): ClaimedRun => ({
  id: executionId,
  workspaceId: run.workspaceId,
  workflowId: run.workflowId,
  workflowVersion: run.workflowVersion,
  untilNodeId: run.untilNodeId ?? null,
  status: 'pending',
  input: run.input ?? null,
  inputBytes: null,
  claims: 1,
  isCancelRequested: false,
  claimedAt,
  parentId: null,
  isLimited: false,
  override: null,
  states: [],
  decisions: new Map(),
});

interface Answer {
  stored: string[];
  handed: string[];
  at: Date;
}

async function storeAll(submissions: Submission[]): Promise<boolean[]> {
  const { isInDatabase, offer } = dispatcher();
  const places = placesFor(submissions.map(({ executionId }) => executionId));
  let handed: ClaimedRun[] = [];
  try {
    const values = parameters(submissions, isInDatabase, places);
    const text = places ? { name: 'engine.hand-over', text: HAND_OVER } : { name: 'engine.submit', text: SUBMIT };
    const { rows } = await pool().query<Answer>({ ...text, values });
    const stored = new Set(rows[0]?.stored);
    const taken = new Set(rows[0]?.handed);
    const at = rows[0]?.at ?? new Date();
    handed = submissions.flatMap((one) => (taken.has(one.executionId) ? handedRun(one, at) : []));
    if (taken.size < stored.size) offer();
    return submissions.map(({ executionId }) => stored.has(executionId));
  } finally {
    places?.fill(handed);
  }
}

const store = gather(storeAll, { weigh: ({ inputJson }) => inputJson.length });

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
