import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import {
  CALLER_RESPONSE_COLUMNS,
  toCallerResponseRows,
  hasCallerResponses,
  INSERT_CALLER_RESPONSES,
  STEP_OUTCOME_COLUMNS,
  toStepOutcomeCells,
  type RunCheckpoint,
} from '../store/checkpoint';
import {
  toJsonParameter,
  LOG_ENTRY_COLUMNS,
  toColumnArrays,
  NODE_RESULT_COLUMNS,
  ColumnArrays,
  toTimeParameter,
  type ColumnTypes,
} from '../store/rows';
import { prepareByRunCount, StatementParameters } from '../store/statement';
import { type RunSubmission } from './submission';
import { WEBHOOK_TABLES_SQL, WEBHOOK_VERSION_SQL } from '@/server/platform/db/webhook-version';
import { runAbilitiesSql } from '@/server/workflow/definition/abilities';

const DELIVERY_COLUMNS = {
  id: 'text',
  webhook_id: 'text',
  sender_id: 'text',
  replay_of: 'text',
  execution_id: 'text',
  ip_address: 'text',
  user_agent: 'text',
} satisfies ColumnTypes;

const CHECKED_DELIVERY_COLUMNS = { ...DELIVERY_COLUMNS, webhook_version: 'text' } satisfies ColumnTypes;

const NEW_RUN_COLUMNS = {
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
  start_node_id: 'text',
} satisfies ColumnTypes;

const AUDIT_ENTRY_COLUMNS = {
  execution_id: 'text',
  id: 'text',
  workspace_id: 'text',
  category: 'text',
  action: 'text',
  result: 'text',
  actor: 'json',
  resource: 'json',
  metadata: 'json',
} satisfies ColumnTypes;

/** Additional columns of a run with a reservation: its worker, and its first step (`status` null: no step yet). */
const ASSIGNMENT_COLUMNS = { worker: 'text', ...STEP_OUTCOME_COLUMNS } satisfies ColumnTypes;

const ASSIGNED_RUN_COLUMNS = { ...NEW_RUN_COLUMNS, ...ASSIGNMENT_COLUMNS };

const SUBMIT_VALUE_NAMES = ['isNotified', 'changes'] as const;
const SUBMIT_SOURCES = { deliveries: CHECKED_DELIVERY_COLUMNS, audit: AUDIT_ENTRY_COLUMNS };
const SUBMIT_PARAMETERS = new StatementParameters(SUBMIT_VALUE_NAMES, { ...SUBMIT_SOURCES, runs: NEW_RUN_COLUMNS });
const ASSIGN_SOURCES = {
  ...SUBMIT_SOURCES,
  runs: ASSIGNED_RUN_COLUMNS,
  results: NODE_RESULT_COLUMNS,
  logs: LOG_ENTRY_COLUMNS,
};
const ASSIGN_PARAMETERS = new StatementParameters(SUBMIT_VALUE_NAMES, ASSIGN_SOURCES);
const ASSIGN_RESPONSES_PARAMETERS = new StatementParameters(SUBMIT_VALUE_NAMES, {
  ...ASSIGN_SOURCES,
  answers: CALLER_RESPONSE_COLUMNS,
});

/** Parameters of both statements. */
type SubmitParameters = Pick<typeof SUBMIT_PARAMETERS, 'value' | 'column' | 'table'>;

/** The methods that both variants of the statement use. */
type AssignParameters = Pick<typeof ASSIGN_PARAMETERS, 'value' | 'column' | 'table'>;

/** `stored` is a CTE that inserts executions and returns their ids; `is_free`: queued for any worker. */
const buildSubmitSql = (parameters: SubmitParameters, stored: string) => `
WITH refused AS MATERIALIZED (
  SELECT refused_runs(array_agg(r.id), array_agg(r.workflow_id)) AS id FROM ${parameters.table('runs', 'r')}
  WHERE ${isRefusingRunsSql(parameters)} AND NOT EXISTS (SELECT FROM ${parameters.table('deliveries', 'd')}
    JOIN webhook_delivery earlier ON earlier.webhook_id = d.webhook_id AND earlier.unique_id = d.sender_id WHERE d.execution_id = r.id)
  HAVING count(*) > 0
),
webhooks AS MATERIALIZED (
  SELECT h.id, ${WEBHOOK_VERSION_SQL} AS webhook_version FROM ${WEBHOOK_TABLES_SQL} WHERE h.id = ANY(${parameters.column('deliveries', 'webhook_id')})
),
delivered AS (
  INSERT INTO webhook_delivery (verdict, unique_id, ${Object.keys(DELIVERY_COLUMNS).join(', ')})
  SELECT 'accepted', d.sender_id, ${Object.keys(DELIVERY_COLUMNS)
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
  (SELECT count(pg_notify('${NOTIFY_CHANNELS.work}', '')) FROM (SELECT FROM stored WHERE is_free LIMIT 1) one WHERE ${parameters.value('isNotified')}::bool),
  (SELECT count(pg_notify('${NOTIFY_CHANNELS.changes}', payload)) FROM unnest(${parameters.value('changes')}::text[]) payload)`;

/** SQL: a concurrency limit of one of the workflows, or of its workspace, refuses runs. */
const isRefusingRunsSql = (parameters: SubmitParameters) => `EXISTS (
    SELECT FROM workflow w JOIN workspace s ON s.id = w.workspace_id WHERE w.id = ANY(${parameters.column('runs', 'workflow_id')})
      AND ((w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse')
        OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse')))`;

/** SQL: excludes refused runs, and those of duplicate deliveries and of webhooks that have changed. */
const isRunWantedSql = (parameters: SubmitParameters) =>
  `r.id NOT IN (SELECT id FROM refused) AND (r.id <> ALL(${parameters.column('deliveries', 'execution_id')}) OR r.id IN (SELECT execution_id FROM delivered))`;

/** Stores runs that any worker can claim. */
export const SUBMIT_RUNS_SQL = buildSubmitSql(
  SUBMIT_PARAMETERS,
  `stored AS (
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, until_node, triggered_by, trace_parent, start_node_id, status, started_at, required_abilities)
  SELECT r.*, 'pending', r.created_at, ${runAbilitiesSql('r')} FROM ${SUBMIT_PARAMETERS.table('runs', 'r')} WHERE ${isRunWantedSql(SUBMIT_PARAMETERS)}
  RETURNING id, true AS is_free
)`,
);

/**
 * Stores runs with a reservation as claimed by their worker, in the state after their first step. A run is queued
 * instead if the lease of the worker is lost, or if a concurrency limit or a time limit applies.
 */
const buildAssignSql = (parameters: AssignParameters, also = '') =>
  buildSubmitSql(
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
  INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, trigger, input, created_by, created_at, started_at, until_node, triggered_by, trace_parent, start_node_id,
    required_abilities, status, output, error, completed_at, worker_id, available_at, revision)
  SELECT r.id, r.workspace_id, r.workflow_id, r.workflow_version, r.trigger, r.input, r.created_by, r.created_at, r.created_at, r.until_node, r.triggered_by, r.trace_parent, r.start_node_id,
    ${runAbilitiesSql('r')}, coalesce(step.status, 'pending'), step.output, step.error, step.completed_at,
    CASE WHEN step.is_released THEN NULL ELSE worker.id END,
    CASE WHEN worker.id IS NULL THEN now() ELSE step.available_at END,
    CASE WHEN step.status IS NULL THEN 0 ELSE 1 END
  FROM ${parameters.table('runs', 'r')}
  LEFT JOIN worker ON worker.id = r.worker AND r.workflow_id NOT IN (SELECT id FROM limited)
  LEFT JOIN LATERAL (
    SELECT r.status, r.output, r.error, r.completed_at, r.is_released, r.available_at WHERE worker.id IS NOT NULL
  ) step ON true
  WHERE ${isRunWantedSql(parameters)}
  RETURNING id, worker_id IS NULL AND revision = 0 AS is_free
),
results AS (
  INSERT INTO node_result (${Object.keys(NODE_RESULT_COLUMNS).join(', ')}, revision)
  SELECT r.*, 1 FROM ${parameters.table('results', 'r')}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
),
logged AS (
  INSERT INTO log_entry (${Object.keys(LOG_ENTRY_COLUMNS).join(', ')})
  SELECT execution_id, node_id, level, message, timestamp FROM ${parameters.table('logs', 'l', { ordinality: 'position' })}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
  ORDER BY position
)${also}`,
  );

const ASSIGN_RUNS = prepareByRunCount({ name: 'engine.assign', text: buildAssignSql(ASSIGN_PARAMETERS) });

/** The same statement for submissions of which some first steps have a response. */
const ASSIGN_RUNS_WITH_RESPONSES = prepareByRunCount({
  name: 'engine.assign-answers',
  text: buildAssignSql(
    ASSIGN_RESPONSES_PARAMETERS,
    `,
answered AS (
  ${INSERT_CALLER_RESPONSES}
  SELECT a.* FROM ${ASSIGN_RESPONSES_PARAMETERS.table('answers', 'a')}
  WHERE execution_id IN (SELECT id FROM stored WHERE NOT is_free)
)`,
  ),
});

/** Returns the statement for submissions with reservations and these first steps. */
export const assignRunsStatement = (firsts: (RunCheckpoint | undefined)[]) =>
  (firsts.some((step) => step?.callerResponse) ? ASSIGN_RUNS_WITH_RESPONSES : ASSIGN_RUNS)(firsts.length);

/** Orders insertions, so that two processes that store the same ids cannot deadlock. */
const compareSenderIds = ({ delivery: one }: RunSubmission, { delivery: other }: RunSubmission) =>
  one?.senderId && other?.senderId
    ? `${one.webhookId} ${one.senderId}` < `${other.webhookId} ${other.senderId}`
      ? -1
      : 1
    : Number(Boolean(one?.senderId)) - Number(Boolean(other?.senderId));

const UNASSIGNED_CELLS: null[] = Object.keys(ASSIGNMENT_COLUMNS).map(() => null);

/** The `ASSIGNMENT_COLUMNS` columns of a run. */
function assignmentCells({ reservation }: RunSubmission, step: RunCheckpoint | undefined, now: string | null) {
  if (!reservation) return UNASSIGNED_CELLS;
  if (!step) return [reservation.workerId, ...UNASSIGNED_CELLS.slice(1)];
  return [reservation.workerId, ...toStepOutcomeCells(step, now)];
}

/** The parameters of `SUBMIT_RUNS_SQL`, or of `assignRunsStatement` if `firstSteps` is set. */
export function bindSubmissions(
  submissions: RunSubmission[],
  isNotified: boolean,
  firstSteps?: (RunCheckpoint | undefined)[],
): unknown[] {
  const deliveries = new ColumnArrays(CHECKED_DELIVERY_COLUMNS);
  const entries = new ColumnArrays(AUDIT_ENTRY_COLUMNS);
  const runs = new ColumnArrays(firstSteps ? ASSIGNED_RUN_COLUMNS : NEW_RUN_COLUMNS);
  for (const { delivery, executionId } of submissions.toSorted(compareSenderIds)) {
    if (!delivery) continue;
    const { id, webhookId, senderId, replayOf, ipAddress, userAgent, webhookVersion } = delivery;
    deliveries.add([id, webhookId, senderId, replayOf, executionId, ipAddress, userAgent, webhookVersion]);
  }
  const now = toTimeParameter(new Date());
  for (const [index, submission] of submissions.entries()) {
    const { run, executionId, inputJson, startedAt, traceParent, audit } = submission;
    const { workspaceId, workflowId, workflowVersion, trigger, triggeredBy, createdBy } = run;
    const { untilNodeId = null, startNodeId = null } = run;
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
      toJsonParameter(triggeredBy ?? null),
      traceParent,
      startNodeId,
    ];
    runs.add(firstSteps ? [...row, ...assignmentCells(submission, firstSteps[index], now)] : row);
    if (!audit) continue;
    const { id, category, action, result, actor, resource, metadata } = audit;
    const jsonColumns = [actor, resource, metadata].map((one) => JSON.stringify(one));
    entries.add([executionId, id, audit.workspaceId, category, action, result, ...jsonColumns]);
  }
  const shared = { deliveries, audit: entries, runs };
  if (!firstSteps) return SUBMIT_PARAMETERS.bind({ isNotified, changes: [] }, shared);
  const steps = firstSteps.flatMap((step) => step ?? []);
  const changes = isNotified ? splitNotifyPayloads(steps.map(({ executionId }) => executionId)) : [];
  const rows = Object.assign(shared, toColumnArrays(steps));
  return hasCallerResponses(steps)
    ? ASSIGN_RESPONSES_PARAMETERS.bind({ isNotified, changes }, { answers: toCallerResponseRows(steps), ...rows })
    : ASSIGN_PARAMETERS.bind({ isNotified, changes }, rows);
}
