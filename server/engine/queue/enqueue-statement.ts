import { CHANNELS, payloads } from '@/server/db/notify-channels';
import {
  ANSWER,
  answerRows,
  hasAnswers,
  INSERT_ANSWERS,
  OUTCOME,
  outcomeCells,
  type Checkpoint,
} from '../store/checkpoint';
import { jsonText, LOG, pendingTables, RESULT, ColumnArrays, timeText, type Columns } from '../store/rows';
import { byRunCount, StatementParameters } from '../store/statement';
import { type Submission } from './submission';
import { WEBHOOK, WEBHOOK_VERSION } from '@/server/webhooks/version';
import { abilitiesOfVersion } from '@/server/workflow/abilities';

const DELIVERY = {
  id: 'text',
  webhook_id: 'text',
  sender_id: 'text',
  replay_of: 'text',
  execution_id: 'text',
  ip_address: 'text',
  user_agent: 'text',
} satisfies Columns;

const DELIVERED = { ...DELIVERY, webhook_version: 'text' } satisfies Columns;

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
  triggered_by: 'json',
  trace_parent: 'text',
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

/** Additional columns of a run with a reservation: its worker, and its first step (`status` null: no step yet). */
const ASSIGNED = { worker: 'text', ...OUTCOME } satisfies Columns;

const RUN_ASSIGNED = { ...RUN, ...ASSIGNED };

const VALUES = ['isNotified', 'changes'] as const;
const SHARED = { deliveries: DELIVERED, audit: AUDIT };
const SUBMIT_PARAMETERS = new StatementParameters(VALUES, { ...SHARED, runs: RUN });
const ASSIGN_SOURCES = { ...SHARED, runs: RUN_ASSIGNED, results: RESULT, logs: LOG };
const ASSIGN_PARAMETERS = new StatementParameters(VALUES, ASSIGN_SOURCES);
const ANSWERING_PARAMETERS = new StatementParameters(VALUES, { ...ASSIGN_SOURCES, answers: ANSWER });

/** Parameters of both statements. */
type SharedParameters = Pick<typeof SUBMIT_PARAMETERS, 'value' | 'column' | 'table'>;

/** The methods that the variants of `ASSIGN` use. */
type AssignParameters = Pick<typeof ASSIGN_PARAMETERS, 'value' | 'column' | 'table'>;

/** `stored` is a CTE that inserts executions and returns their ids; `is_free`: queued for any worker. */
const statement = (parameters: SharedParameters, stored: string) => `
WITH refused AS MATERIALIZED (
  SELECT refused_runs(array_agg(r.id), array_agg(r.workflow_id)) AS id FROM ${parameters.table('runs', 'r')}
  WHERE ${isRefusing(parameters)} AND NOT EXISTS (SELECT FROM ${parameters.table('deliveries', 'd')}
    JOIN webhook_delivery earlier ON earlier.webhook_id = d.webhook_id AND earlier.unique_id = d.sender_id WHERE d.execution_id = r.id)
  HAVING count(*) > 0
),
webhooks AS MATERIALIZED (
  SELECT h.id, ${WEBHOOK_VERSION} AS webhook_version FROM ${WEBHOOK} WHERE h.id = ANY(${parameters.column('deliveries', 'webhook_id')})
),
delivered AS (
  INSERT INTO webhook_delivery (verdict, unique_id, ${Object.keys(DELIVERY).join(', ')})
  SELECT 'accepted', d.sender_id, ${Object.keys(DELIVERY)
    .map((name) => `d.${name}`)
    .join(', ')}
  FROM ${parameters.table('deliveries', 'd')}
  WHERE (d.webhook_version IS NULL OR (d.webhook_id, d.webhook_version) IN (SELECT id, webhook_version FROM webhooks))
    AND d.execution_id NOT IN (SELECT id FROM refused)
  ON CONFLICT (webhook_id, unique_id) DO NOTHING
  RETURNING execution_id
),
${stored},
recorded AS (
  INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
  SELECT id, workspace_id, category, action, result, actor, resource, metadata FROM ${parameters.table('audit', 'a')}
  WHERE execution_id IN (SELECT id FROM stored)
)
SELECT (SELECT coalesce(json_agg(id), '[]') FROM stored WHERE is_free) AS queued,
  (SELECT coalesce(json_agg(id), '[]') FROM refused) AS refused,
  (SELECT coalesce(json_agg(id), '[]') FROM stored WHERE NOT is_free) AS assigned,
  (SELECT count(pg_notify('${CHANNELS.work}', '')) FROM (SELECT FROM stored WHERE is_free LIMIT 1) one WHERE ${parameters.value('isNotified')}::bool),
  (SELECT count(pg_notify('${CHANNELS.changes}', payload)) FROM unnest(${parameters.value('changes')}::text[]) payload)`;

/** SQL: a concurrency limit of one of the workflows, or of its workspace, refuses runs. */
const isRefusing = (parameters: SharedParameters) => `EXISTS (
    SELECT FROM workflow w JOIN workspace s ON s.id = w.workspace_id WHERE w.id = ANY(${parameters.column('runs', 'workflow_id')})
      AND ((w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse')
        OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse')))`;

/** SQL: excludes refused runs, and those of duplicate deliveries and of webhooks that have changed. */
const isWanted = (parameters: SharedParameters) =>
  `r.id NOT IN (SELECT id FROM refused) AND (r.id <> ALL(${parameters.column('deliveries', 'execution_id')}) OR r.id IN (SELECT execution_id FROM delivered))`;

/** Stores runs that any worker can claim. */
export const SUBMIT = statement(
  SUBMIT_PARAMETERS,
  `stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, until_node, triggered_by, trace_parent, status, started_at, required_abilities)
  SELECT r.*, 'pending', r.created_at, ${abilitiesOfVersion('r')} FROM ${SUBMIT_PARAMETERS.table('runs', 'r')} WHERE ${isWanted(SUBMIT_PARAMETERS)}
  RETURNING id, true AS is_free
)`,
);

/**
 * Stores runs with a reservation as claimed by their worker, in the state after their first step. A run is queued
 * instead if the lease of the worker is lost, or if a concurrency limit or a time limit applies.
 */
const assign = (parameters: AssignParameters, also = '') =>
  statement(
    parameters,
    `worker AS MATERIALIZED (
  SELECT id FROM worker WHERE id = ANY(${parameters.column('runs', 'worker')}) FOR KEY SHARE
),
limited AS MATERIALIZED (
  SELECT w.id FROM workflow w JOIN workspace s ON s.id = w.workspace_id
  WHERE w.id = ANY(${parameters.column('runs', 'workflow_id')}) 
    AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL OR w.settings ? 'timeoutMs')
),
stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, started_at, until_node, triggered_by, trace_parent,
    required_abilities, status, output, error, completed_at, worker_id, available_at, revision)
  SELECT r.id, r.workspace_id, r.workflow_id, r.workflow_version, r.trigger, r.input, r.created_by, r.created_at, r.created_at, r.until_node, r.triggered_by, r.trace_parent,
    ${abilitiesOfVersion('r')}, coalesce(step.status, 'pending'), step.output, step.error, step.completed_at,
    CASE WHEN step.is_released THEN NULL ELSE worker.id END,
    CASE WHEN worker.id IS NULL THEN now() ELSE step.available_at END,
    CASE WHEN step.status IS NULL THEN 0 ELSE 1 END
  FROM ${parameters.table('runs', 'r')}
  LEFT JOIN worker ON worker.id = r.worker AND r.workflow_id NOT IN (SELECT id FROM limited)
  LEFT JOIN LATERAL (
    SELECT r.status, r.output, r.error, r.completed_at, r.is_released, r.available_at WHERE worker.id IS NOT NULL
  ) step ON true
  WHERE ${isWanted(parameters)}
  RETURNING id, worker_id IS NULL AND revision = 0 AS is_free
),
results AS (
  INSERT INTO node_result (${Object.keys(RESULT).join(', ')}, revision)
  SELECT r.*, 1 FROM ${parameters.table('results', 'r')}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
),
logged AS (
  INSERT INTO log_entry (${Object.keys(LOG).join(', ')})
  SELECT execution_id, node_id, level, message, timestamp FROM ${parameters.table('logs', 'l', { ordinality: 'position' })}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
  ORDER BY position
)${also}`,
  );

const ASSIGN = byRunCount({ name: 'engine.assign', text: assign(ASSIGN_PARAMETERS) });

/** The same where some of the first steps have an answer. */
const ASSIGN_ANSWERS = byRunCount({
  name: 'engine.assign-answers',
  text: assign(
    ANSWERING_PARAMETERS,
    `,
answered AS (
  ${INSERT_ANSWERS}
  SELECT a.* FROM ${ANSWERING_PARAMETERS.table('answers', 'a')}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
)`,
  ),
});

/** The statement for submissions with reservations, whose first steps are these. */
export const assignStatement = (firsts: (Checkpoint | undefined)[]) =>
  (firsts.some((step) => step?.answer) ? ASSIGN_ANSWERS : ASSIGN)(firsts.length);

/** A fixed order of insertion: two processes that store the same ids cannot deadlock. */
const byUniqueId = ({ delivery: one }: Submission, { delivery: other }: Submission) =>
  one?.senderId && other?.senderId
    ? `${one.webhookId} ${one.senderId}` < `${other.webhookId} ${other.senderId}`
      ? -1
      : 1
    : Number(Boolean(one?.senderId)) - Number(Boolean(other?.senderId));

const unassigned: null[] = Object.keys(ASSIGNED).map(() => null);

/** The `ASSIGNED` columns of a run. */
function assigned({ reservation }: Submission, step: Checkpoint | undefined, now: string | null) {
  if (!reservation) return unassigned;
  if (!step) return [reservation.workerId, ...unassigned.slice(1)];
  return [reservation.workerId, ...outcomeCells(step, now)];
}

/** The parameters of `SUBMIT`, or of `assignStatement` if `firstSteps` is set. */
export function parameters(
  submissions: Submission[],
  isNotified: boolean,
  firstSteps?: (Checkpoint | undefined)[],
): unknown[] {
  const deliveries = new ColumnArrays(DELIVERED);
  const entries = new ColumnArrays(AUDIT);
  const runs = new ColumnArrays(firstSteps ? RUN_ASSIGNED : RUN);
  for (const { delivery, executionId } of submissions.toSorted(byUniqueId)) {
    if (!delivery) continue;
    const { id, webhookId, senderId, replayOf, ipAddress, userAgent, webhookVersion } = delivery;
    deliveries.add([id, webhookId, senderId, replayOf, executionId, ipAddress, userAgent, webhookVersion]);
  }
  const now = timeText(new Date());
  for (const [index, submission] of submissions.entries()) {
    const { run, executionId, inputJson, startedAt, traceParent, audit } = submission;
    const { workspaceId, workflowId, workflowVersion, trigger, triggeredBy, createdBy, untilNodeId = null } = run;
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
      jsonText(triggeredBy ?? null),
      traceParent,
    ];
    runs.add(firstSteps ? [...row, ...assigned(submission, firstSteps[index], now)] : row);
    if (!audit) continue;
    const { id, category, action, result, actor, resource, metadata } = audit;
    const jsonColumns = [actor, resource, metadata].map((one) => JSON.stringify(one));
    entries.add([executionId, id, audit.workspaceId, category, action, result, ...jsonColumns]);
  }
  const shared = { deliveries, audit: entries, runs };
  if (!firstSteps) return SUBMIT_PARAMETERS.bind({ isNotified, changes: [] }, shared);
  const steps = firstSteps.flatMap((step) => step ?? []);
  const changes = isNotified ? payloads(steps.map(({ executionId }) => executionId)) : [];
  const rows = Object.assign(shared, pendingTables(steps));
  return hasAnswers(steps)
    ? ANSWERING_PARAMETERS.bind({ isNotified, changes }, { answers: answerRows(steps), ...rows })
    : ASSIGN_PARAMETERS.bind({ isNotified, changes }, rows);
}
