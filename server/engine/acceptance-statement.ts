import { CHANNELS, payloads } from './channels';
import { OUTCOME, outcomeOf, type Checkpoint } from './checkpoint';
import { given, LOG, newsTables, RESULT, Table, timeText, width, type Columns } from './rows';
import { AS_SEEN, WEBHOOK, type Submission } from './submission';

const DELIVERY = {
  id: 'text',
  webhook_id: 'text',
  sender_id: 'text',
  replay_of: 'text',
  execution_id: 'text',
  ip_address: 'text',
  user_agent: 'text',
} satisfies Columns;

const DELIVERED = { ...DELIVERY, seen: 'text' } satisfies Columns;

const RUN = {
  id: 'text',
  workspace_id: 'text',
  workflow_id: 'text',
  workflow_version: 'int',
  trigger: 'text',
  input: 'json',
  created_by: 'text',
  created_at: 'timestamptz',
  until_node: 'text',
} satisfies Columns;

const AUDIT = {
  execution_id: 'text',
  id: 'text',
  workspace_id: 'text',
  category: 'text',
  action: 'text',
  result: 'text',
  actor: 'json',
  resource: 'json',
  metadata: 'json',
} satisfies Columns;

/** What a run with a place has besides: whose it is, and its first step; without one, `status` is null. */
const PLACED = { worker: 'text', ...OUTCOME } satisfies Columns;

const RUN_PLACED = { ...RUN, ...PLACED };

const DELIVERIES_AT = 3;
const AUDIT_AT = DELIVERIES_AT + width(DELIVERED);
const RUNS_AT = AUDIT_AT + width(AUDIT);
const RESULTS_AT = RUNS_AT + width(RUN) + width(PLACED);
const LOGS_AT = RESULTS_AT + width(RESULT);

/** `stored` stores executions and answers which of them are free for any worker to take. */
const statement = (stored: string) => `
WITH webhooks AS MATERIALIZED (
  SELECT h.id, ${AS_SEEN} AS seen FROM ${WEBHOOK} WHERE h.id = ANY($${DELIVERIES_AT + 1}::text[])
),
delivered AS (
  INSERT INTO webhook_delivery (verdict, unique_id, ${Object.keys(DELIVERY).join(', ')})
  SELECT 'accepted', d.sender_id, ${Object.keys(DELIVERY)
    .map((name) => `d.${name}`)
    .join(', ')}
  FROM ${given(DELIVERED, DELIVERIES_AT, 'd')}
  WHERE d.seen IS NULL OR (d.webhook_id, d.seen) IN (SELECT id, seen FROM webhooks)
  ON CONFLICT (webhook_id, unique_id) DO NOTHING
  RETURNING execution_id
),
${stored},
recorded AS (
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  SELECT id, workspace_id, category, action, result, actor, resource, metadata FROM ${given(AUDIT, AUDIT_AT, 'a')}
  WHERE execution_id IN (SELECT id FROM stored)
)
SELECT (SELECT coalesce(json_agg(id), '[]') FROM stored WHERE is_free) AS free,
  (SELECT coalesce(json_agg(id), '[]') FROM stored WHERE NOT is_free) AS handed,
  (SELECT count(pg_notify('${CHANNELS.work}', '')) FROM (SELECT FROM stored WHERE is_free LIMIT 1) one WHERE $1::bool),
  (SELECT count(pg_notify('${CHANNELS.changes}', payload)) FROM unnest($2::text[]) payload)`;

/** Of deliveries that came twice, or for a webhook that has changed, the run is not stored. */
const IS_WANTED = `(r.id <> ALL($${DELIVERIES_AT + 4}::text[]) OR r.id IN (SELECT execution_id FROM delivered))`;

/** Stores runs for any worker to take. */
export const SUBMIT = statement(`stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, until_node, status, started_at)
  SELECT r.*, 'pending', r.created_at FROM ${given(RUN, RUNS_AT, 'r')} WHERE ${IS_WANTED}
  RETURNING id, true AS is_free
)`);

/**
 * A run that has a place is that worker's from the start, as its first step left it; unless the worker's lease is gone, or
 * a limit may have to hold the run back.
 */
export const HAND_OVER = statement(`taker AS MATERIALIZED (
  SELECT id FROM worker WHERE id = ANY($${RUNS_AT + width(RUN)}::text[]) FOR KEY SHARE
),
limited AS MATERIALIZED (
  SELECT w.id FROM workflow w JOIN workspace s ON s.id = w.workspace_id
  WHERE w.id = ANY($${RUNS_AT + 2}::text[]) AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL)
),
stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, started_at, until_node,
    status, output, error, completed_at, worker_id, available_at, claims, revision)
  SELECT r.id, r.workspace_id, r.workflow_id, r.workflow_version, r.trigger, r.input, r.created_by, r.created_at, r.created_at, r.until_node,
    coalesce(step.status, 'pending'), step.output, step.error, step.completed_at,
    CASE WHEN step.is_released THEN NULL ELSE taker.id END,
    CASE WHEN taker.id IS NULL THEN now() ELSE step.available_at END,
    CASE WHEN taker.id IS NULL OR step.is_released OR step.has_progressed THEN 0 ELSE 1 END,
    CASE WHEN step.status IS NULL THEN 0 ELSE 1 END
  FROM ${given(RUN_PLACED, RUNS_AT, 'r')}
  LEFT JOIN taker ON taker.id = r.worker AND r.workflow_id NOT IN (SELECT id FROM limited)
  LEFT JOIN LATERAL (
    SELECT r.status, r.output, r.error, r.completed_at, r.is_released, r.available_at, r.has_progressed WHERE taker.id IS NOT NULL
  ) step ON true
  WHERE ${IS_WANTED}
  RETURNING id, worker_id IS NULL AND revision = 0 AS is_free
),
results AS (
  INSERT INTO node_result (${Object.keys(RESULT).join(', ')}, revision)
  SELECT r.*, 1 FROM ${given(RESULT, RESULTS_AT, 'r')}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
),
logged AS (
  INSERT INTO log_entry (${Object.keys(LOG).join(', ')})
  SELECT execution_id, node_id, level, message, timestamp FROM ${given(LOG, LOGS_AT, 'l', { ordinality: 'position' })}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
  ORDER BY position
)`);

/** Two processes that store the same ids wait for each other in the same order. */
const byUniqueId = ({ delivery: one }: Submission, { delivery: other }: Submission) =>
  one?.senderId && other?.senderId
    ? `${one.webhookId} ${one.senderId}` < `${other.webhookId} ${other.senderId}`
      ? -1
      : 1
    : Number(Boolean(one?.senderId)) - Number(Boolean(other?.senderId));

const unplaced: null[] = Object.keys(PLACED).map(() => null);

/** What `PLACED` says of a run whose first step may be known. */
function placed({ place }: Submission, step: Checkpoint | undefined, now: string | null) {
  if (!place) return unplaced;
  if (!step) return [place.workerId, ...unplaced.slice(1)];
  return [place.workerId, ...outcomeOf(step, now)];
}

/** The parameters of `SUBMIT`, or, given what steps the runs with places have come to, of `HAND_OVER`. */
export function parameters(
  submissions: Submission[],
  isNotified: boolean,
  firsts?: (Checkpoint | undefined)[],
): unknown[] {
  const deliveries = new Table(DELIVERED);
  const entries = new Table(AUDIT);
  const runs = new Table(firsts ? RUN_PLACED : RUN);
  for (const { delivery, executionId } of submissions.toSorted(byUniqueId)) {
    if (!delivery) continue;
    const { id, webhookId, senderId, replayOf, ipAddress, userAgent, seen } = delivery;
    deliveries.add([id, webhookId, senderId, replayOf, executionId, ipAddress, userAgent, seen]);
  }
  const now = timeText(new Date());
  for (const [index, submission] of submissions.entries()) {
    const { run, executionId, inputJson, startedAt, audit } = submission;
    const { workspaceId, workflowId, workflowVersion, trigger, createdBy, untilNodeId = null } = run;
    const row = [
      executionId,
      workspaceId,
      workflowId,
      workflowVersion,
      trigger,
      inputJson,
      createdBy,
      startedAt,
      untilNodeId,
    ];
    runs.add(firsts ? [...row, ...placed(submission, firsts[index], now)] : row);
    if (!audit) continue;
    const { id, category, action, result, actor, resource, metadata } = audit;
    const jsons = [actor, resource, metadata].map((one) => JSON.stringify(one));
    entries.add([executionId, id, audit.workspaceId, category, action, result, ...jsons]);
  }
  const common = [...deliveries.parameters, ...entries.parameters, ...runs.parameters];
  if (!firsts) return [isNotified, [], ...common];
  const steps = firsts.flatMap((step) => step ?? []);
  const { results, logs } = newsTables(steps);
  const told = isNotified ? payloads(steps.map(({ executionId }) => executionId)) : [];
  return [isNotified, told, ...common, ...results, ...logs];
}
