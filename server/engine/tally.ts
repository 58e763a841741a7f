import type { ExecutionStatus, Trigger } from '@/contract/execution';
import { pool } from '../db/client';
import { log } from '../log';
import { repeat } from './repeat';

/** Which executions are counted. */
export interface Counted {
  workspaceId: string;
  /** None: those of every workflow. */
  workflowIds?: string[];
  status?: ExecutionStatus;
  trigger?: Trigger;
  /** Bounds of `createdAt`, ISO 8601, both included. */
  from?: string;
  to?: string;
}

const HOUR_MS = 3_600_000;
const whole = (time: number) => Math.ceil(time / HOUR_MS) * HOUR_MS;
const begun = (time: number) => Math.floor(time / HOUR_MS) * HOUR_MS;

/** From the first moment up to, not including, the second; milliseconds, infinite where there is no bound. */
type Span = [from: number, until: number];

/** The whole hours of a span, which the tally knows, and what is left at its ends. */
export function hoursOf([from, until]: Span): { hours: Span; ends: Span[] } {
  const hours: Span = [whole(from), begun(until)];
  if (hours[0] >= hours[1]) return { hours: [0, 0], ends: [[from, until]] };
  const ends: Span[] = [
    [from, hours[0]],
    [hours[1], until],
  ];
  return { hours, ends: ends.filter(([first, last]) => first < last) };
}

const spanOf = (from: string | undefined, to: string | undefined): Span => [
  from ? Date.parse(from) : -Infinity,
  to ? Date.parse(to) + 1 : Infinity,
];

async function countRows(conditions: string[], values: unknown[]): Promise<number> {
  const { rows } = await pool().query<{ total: number }>(
    `SELECT count(*)::int AS total FROM execution WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return rows[0]?.total ?? 0;
}

/**
 * How many executions there are. Ended ones are read off the tally for the whole hours between the bounds; what the
 * bounds cut off, and what is under way, is counted as it stands. One statement, hence of one moment.
 */
export async function countExecutions({
  workspaceId,
  workflowIds,
  status,
  trigger,
  from,
  to,
}: Counted): Promise<number> {
  const values: unknown[] = [];
  const given = (value: unknown) => `$${values.push(value)}`;
  const within = (column: string, [first, last]: Span) => [
    ...(Number.isFinite(first) ? [`${column} >= ${given(new Date(first))}`] : []),
    ...(Number.isFinite(last) ? [`${column} < ${given(new Date(last))}`] : []),
  ];
  const filters = [
    ...(status ? [`status = ${given(status)}`] : []),
    ...(trigger ? [`trigger = ${given(trigger)}`] : []),
  ];
  const own = [
    ...filters,
    `workspace_id = ${given(workspaceId)}`,
    ...(workflowIds ? [`workflow_id = ANY(${given(workflowIds)})`] : []),
  ];
  const counted = (table: string, what: string, conditions: string[]) =>
    `(SELECT coalesce(${what}, 0) FROM ${table} WHERE ${conditions.join(' AND ')})`;

  // A workflow's tally has no hours: between bounds, its executions are counted as they stand.
  if (workflowIds && (from || to)) return countRows([...own, ...within('created_at', spanOf(from, to))], values);

  const span = spanOf(from, to);
  const { hours, ends } = hoursOf(span);
  const scope = `scope = ANY(${given(workflowIds ?? [workspaceId])})`;
  const parts = [
    counted('execution_tally', 'sum(count)', [scope, ...filters, ...within('hour', hours), ...theirs(workspaceId)]),
    counted('execution', 'count(*)', [...own, 'completed_at IS NULL', ...within('created_at', span)]),
    ...ends.map((end) =>
      counted('execution', 'count(*)', [...own, 'completed_at IS NOT NULL', ...within('created_at', end)]),
    ),
  ];
  const { rows } = await pool().query<{ total: number }>(`SELECT (${parts.join(' + ')})::int AS total`, values);
  return rows[0]?.total ?? 0;

  /** A workflow's tally is known by its id alone: it must be the workspace's. */
  function theirs(workspace: string): string[] {
    if (!workflowIds) return [];
    return [`EXISTS (SELECT FROM workflow WHERE id = scope AND workspace_id = ${given(workspace)})`];
  }
}

const EVERY_MS = 15_000;
const BATCH = 50_000;

/**
 * Adds the oldest changes to their sums; answers how many there were. Whoever counts meanwhile sees the change or the
 * sum, which is the same.
 */
export async function addUp(): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>(
    `WITH change AS (
      DELETE FROM execution_tally WHERE id IN (
        SELECT id FROM execution_tally WHERE NOT is_sum ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING scope, trigger, status, hour, count
    ),
    added AS (
      INSERT INTO execution_tally AS t (scope, trigger, status, hour, count, is_sum)
      SELECT scope, trigger, status, hour, sum(count), true FROM change
      GROUP BY scope, trigger, status, hour ORDER BY scope, trigger, status, hour
      ON CONFLICT (scope, trigger, status, hour) WHERE is_sum DO UPDATE SET count = t.count + excluded.count
    )
    SELECT count(*)::int AS taken FROM change`,
  );
  const taken = rows[0]?.taken ?? 0;
  if (taken > 0) await pool().query('DELETE FROM execution_tally WHERE is_sum AND count = 0');
  return taken;
}

/** Adds the tally up now and then, in every worker process. */
export function startTally(): { stop(): Promise<void> } {
  const round = repeat(
    async () => ((await addUp()) === BATCH ? 0 : EVERY_MS),
    EVERY_MS,
    (error) => log().error({ err: error }, 'the tally could not be added up'),
  );
  round.now();
  return round;
}
