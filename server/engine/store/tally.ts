import type { ExecutionStatus, TriggerType } from '@/contract/execution';
import { databasePool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { MS_PER_HOUR } from '@/contract/units';

/** The executions to count. */
export interface ExecutionCountFilter {
  workspaceId: string;
  /** Undefined: all workflows. */
  workflowIds?: string[];
  status?: ExecutionStatus;
  trigger?: TriggerType;
  /** Bounds of `createdAt`, ISO 8601, both included. */
  from?: string;
  to?: string;
}

const nextFullHour = (time: number) => Math.ceil(time / MS_PER_HOUR) * MS_PER_HOUR;
const startOfHour = (time: number) => Math.floor(time / MS_PER_HOUR) * MS_PER_HOUR;

/** A half-open interval in milliseconds; infinite where there is no bound. */
type TimeSpan = [from: number, until: number];

/** Splits a span into whole hours, which the tally covers, and the rest at its ends. */
export function splitWholeHours([from, until]: TimeSpan): { hours: TimeSpan; ends: TimeSpan[] } {
  const hours: TimeSpan = [nextFullHour(from), startOfHour(until)];
  if (hours[0] >= hours[1]) return { hours: [0, 0], ends: [[from, until]] };
  const ends: TimeSpan[] = [
    [from, hours[0]],
    [hours[1], until],
  ];
  return { hours, ends: ends.filter(([first, last]) => first < last) };
}

const parseTimeSpan = (from: string | undefined, to: string | undefined): TimeSpan => [
  from ? Date.parse(from) : -Infinity,
  to ? Date.parse(to) + 1 : Infinity,
];

async function countExecutionRows(conditions: string[], values: unknown[]): Promise<number> {
  const { rows } = await databasePool().query<{ total: number }>(
    `SELECT count(*)::int AS total FROM execution WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return rows[0]?.total ?? 0;
}

/**
 * Counts executions. Ended ones come from the tally for the whole hours between the bounds; partial hours and
 * executions that have not ended are counted directly. One statement, hence one snapshot.
 */
export async function countExecutions({
  workspaceId,
  workflowIds,
  status,
  trigger,
  from,
  to,
}: ExecutionCountFilter): Promise<number> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const within = (column: string, [first, last]: TimeSpan) => [
    ...(Number.isFinite(first) ? [`${column} >= ${bind(new Date(first))}`] : []),
    ...(Number.isFinite(last) ? [`${column} < ${bind(new Date(last))}`] : []),
  ];
  const filters = [...(status ? [`status = ${bind(status)}`] : []), ...(trigger ? [`trigger = ${bind(trigger)}`] : [])];
  const own = [
    ...filters,
    `workspace_id = ${bind(workspaceId)}`,
    ...(workflowIds ? [`workflow_id = ANY(${bind(workflowIds)})`] : []),
  ];
  const subquery = (table: string, what: string, conditions: string[]) =>
    `(SELECT coalesce(${what}, 0) FROM ${table} WHERE ${conditions.join(' AND ')})`;

  // The tally of a workflow is not divided into hours: with bounds its executions are counted directly.
  if (workflowIds && (from || to))
    return countExecutionRows([...own, ...within('created_at', parseTimeSpan(from, to))], values);

  const span = parseTimeSpan(from, to);
  const { hours, ends } = splitWholeHours(span);
  const scope = `scope = ANY(${bind(workflowIds ?? [workspaceId])})`;
  const parts = [
    subquery('execution_tally', 'sum(count)', [
      scope,
      ...filters,
      ...within('hour', hours),
      ...inWorkspace(workspaceId),
    ]),
    subquery('execution', 'count(*)', [...own, 'completed_at IS NULL', ...within('created_at', span)]),
    ...ends.map((end) =>
      subquery('execution', 'count(*)', [...own, 'completed_at IS NOT NULL', ...within('created_at', end)]),
    ),
  ];
  const { rows } = await databasePool().query<{ total: number }>(`SELECT (${parts.join(' + ')})::int AS total`, values);
  return rows[0]?.total ?? 0;

  /** SQL: the workflow belongs to the workspace; the tally stores only its id. */
  function inWorkspace(workspace: string): string[] {
    if (!workflowIds) return [];
    return [`EXISTS (SELECT FROM workflow WHERE id = scope AND workspace_id = ${bind(workspace)})`];
  }
}

const TALLY_INTERVAL_MS = 15_000;
const TALLY_BATCH_SIZE = 50_000;

/**
 * Adds the oldest changes to their sums; returns the number of changes. A concurrent count sees either the change or
 * the new sum, with the same result.
 */
export async function addUpTally(): Promise<number> {
  const { rows } = await databasePool().query<{ changes: number }>(
    `WITH change AS (
      DELETE FROM execution_tally WHERE id IN (
        SELECT id FROM execution_tally WHERE NOT is_sum ORDER BY id LIMIT ${TALLY_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
      RETURNING scope, trigger, status, hour, count
    ),
    added AS (
      INSERT INTO execution_tally AS t (scope, trigger, status, hour, count, is_sum)
      SELECT scope, trigger, status, hour, sum(count), true FROM change
      GROUP BY scope, trigger, status, hour ORDER BY scope, trigger, status, hour
      ON CONFLICT (scope, trigger, status, hour) WHERE is_sum DO UPDATE SET count = t.count + excluded.count
    )
    SELECT count(*)::int AS changes FROM change`,
  );
  const changes = rows[0]?.changes ?? 0;
  if (changes > 0) await databasePool().query('DELETE FROM execution_tally WHERE is_sum AND count = 0');
  return changes;
}

/** Adds up the tally periodically, in every worker process. */
export function startTallyTimer(): { stop(): Promise<void> } {
  const round = repeatAction(
    async () => ((await addUpTally()) === TALLY_BATCH_SIZE ? 0 : TALLY_INTERVAL_MS),
    TALLY_INTERVAL_MS,
    (error) => serviceLog().error({ err: error }, 'the tally could not be added up'),
  );
  round.wake();
  return round;
}
