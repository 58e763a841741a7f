import type { DecisionWord, Trigger } from '@/contract/execution';
import type { Definition } from '@/contract/workflow';
import type { AuditRow } from '../api/operation';
import { pool, type Db } from '../db/client';
import { gather } from '../db/gather';
import { newOrderedId } from '../db/ids';
import { CHANNELS, payloads } from './channels';

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
}

export interface Submitted {
  executionId: string;
  /** ISO 8601. */
  startedAt: string;
}

interface Submission extends Submitted {
  run: NewRun;
  inputJson: string;
  audit: AuditRow | undefined;
}

const SUBMIT = `
WITH stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by, created_at, started_at)
  SELECT id, workspace_id, workflow_id, version, 'pending', trigger, input, nullif(created_by, ''), at, at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]::int[], $5::text[], $6::text[]::json[], $7::text[], $8::text[]::timestamptz[])
    AS e(id, workspace_id, workflow_id, version, trigger, input, created_by, at)
),
recorded AS (
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  SELECT id, nullif(workspace_id, ''), category, action, result, actor, resource, metadata
  FROM unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[]::json[], $15::text[]::json[], $16::text[]::json[])
    AS a(id, workspace_id, category, action, result, actor, resource, metadata)
)
SELECT count(pg_notify('${CHANNELS.work}', ''))::int AS notified`;

function parameters(submissions: Submission[]): string[][] {
  const runs = <Part>(pick: (run: NewRun) => Part) => submissions.map(({ run }) => pick(run));
  const entries = submissions.flatMap(({ audit }) => audit ?? []);
  return [
    submissions.map(({ executionId }) => executionId),
    runs((run) => run.workspaceId),
    runs((run) => run.workflowId),
    runs((run) => String(run.workflowVersion)),
    runs((run) => run.trigger),
    submissions.map(({ inputJson }) => inputJson),
    runs((run) => run.createdBy ?? ''),
    submissions.map(({ startedAt }) => startedAt),
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.workspaceId ?? ''),
    entries.map((entry) => entry.category),
    entries.map((entry) => entry.action),
    entries.map((entry) => entry.result),
    entries.map((entry) => JSON.stringify(entry.actor)),
    entries.map((entry) => JSON.stringify(entry.resource)),
    entries.map((entry) => JSON.stringify(entry.metadata)),
  ];
}

const store = gather<Submission, void>(
  async (submissions) => {
    await pool().query({ name: 'engine.submit', text: SUBMIT, values: parameters(submissions) });
    return submissions.map(() => undefined);
  },
  { weigh: ({ inputJson }) => inputJson.length },
);

/**
 * Asks for a run. Resolves once it is stored for good: together with other requests of the moment, or, given `db`, as
 * part of that transaction. `audit` is written along, or neither is. Rejects when the workflow is gone.
 */
export async function submit(run: NewRun, options: { db?: Db; audit?: AuditRow } = {}): Promise<Submitted> {
  const submitted = { executionId: newOrderedId('exec'), startedAt: new Date().toISOString() };
  const submission = { ...submitted, run, inputJson: JSON.stringify(run.input) ?? 'null', audit: options.audit };
  if (options.db) await options.db.$queryRawUnsafe(SUBMIT, ...parameters([submission]));
  else await store(submission);
  return submitted;
}

/** Wakes whoever has these runs, or somebody to take them; heard when the transaction commits. */
async function wake(db: Db, ids: string[]): Promise<void> {
  await db.$queryRaw`
    SELECT count(pg_notify(${CHANNELS.wishes}, payload))::int, count(pg_notify(${CHANNELS.work}, ''))::int
    FROM unnest(${payloads(ids)}::text[]) payload`;
}

/**
 * Asks for runs to be cancelled. Answers the ids of those that weren't final: they end as failed with CANCELLED,
 * whatever they come to meanwhile, and no node of theirs starts any more.
 */
export async function cancel(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE execution SET cancel_requested_at = coalesce(cancel_requested_at, now()), available_at = now()
    WHERE id = ANY(${ids}::text[]) AND status NOT IN ('completed', 'failed')
    RETURNING id`;
  const cancelled = rows.map(({ id }) => id);
  if (cancelled.length > 0) await wake(db, cancelled);
  return cancelled;
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
    const { nodes = [] } = (version?.definition ?? {}) as unknown as Partial<Definition>;
    return nodes.some(({ id }) => id === nodeId) ? 'not-waiting' : 'unknown-node';
  }
  if (!execution.is_open || result.status !== 'paused') return 'not-waiting';
  const data = { executionId, nodeId, decision, comment, decidedBy };
  const { count } = await db.decision.createMany({ data, skipDuplicates: true });
  if (count === 0) return 'not-waiting';
  await db.$executeRaw`UPDATE execution SET available_at = now() WHERE id = ${executionId}`;
  await wake(db, [executionId]);
  return 'decided';
}
