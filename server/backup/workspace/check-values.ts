import { z } from 'zod';
import { RolePermission } from '@/contract/access/role';
import { EXECUTION_STATUSES, TRIGGERS, WORKFLOW_STATUSES } from '@/contract/states';
import { COLUMN_NAME, MAX_COLUMNS } from '@/contract/tables/table-columns';
import { TableColumn } from '@/contract/tables/table';
import { PollUpdate } from '@/contract/triggers/poll';
import { ScheduleUpdate } from '@/contract/triggers/schedule';
import { Definition, WorkflowSettings } from '@/contract/workflows/workflow';
import { WorkspaceSettings } from '@/contract/workspace';
import { ApiFrame, ApiOperation, MAX_OPERATIONS } from '@/server/openapi/record';
import { cronIssues } from '@/server/workflow/cron';
import { refused, staged, type Stage } from './stage';

const email = z
  .email()
  .max(320)
  .refine((text) => text === text.toLowerCase());

const Times = { cron: z.string().nullable(), timezone: z.string().nullable() };
const hasValidTimes = ({ cron, timezone }: z.infer<z.ZodObject<typeof Times>>) =>
  cron === null || cronIssues(cron, timezone ?? 'UTC').every(({ message }) => message === 'never fires');

const Columns = z
  .array(TableColumn.extend({ id: z.string().regex(/^c\d{1,4}$/), name: z.string().regex(COLUMN_NAME) }))
  .max(MAX_COLUMNS)
  .refine((columns) => new Set(columns.map(({ id }) => id)).size === columns.length);

/**
 * What the service reads from a row without checking it again, by table: SQL of the value, as JSON, and its shape. A wrong value could stop
 * work that a process does for all workspaces.
 */
const SHAPES: [table: string, value: string, shape: z.ZodType][] = [
  ['workspace', 'settings', z.object(WorkspaceSettings.shape).partial()],
  ['workspace', `json_build_object('name', name)`, z.object({ name: z.string().min(1).max(200) })],
  ['app_user', `json_build_object('email', email, 'name', name)`, z.object({ email, name: z.string().max(1000) })],
  ['role', 'permissions', z.array(RolePermission)],
  ['workflow', 'settings', z.object(WorkflowSettings.shape).partial()],
  ['workflow', `json_build_object('status', status)`, z.object({ status: z.enum(WORKFLOW_STATUSES) })],
  ['workflow', 'definition', Definition],
  ['workflow_version', 'definition', Definition],
  [
    'schedule',
    `json_build_object('cron', cron, 'timezone', timezone, 'input', input, 'overlap', overlap)`,
    z.intersection(ScheduleUpdate, z.looseObject(Times).refine(hasValidTimes)),
  ],
  [
    'poll',
    `json_build_object('name', name, 'intervalMs', interval_ms, 'cron', cron, 'timezone', timezone, 'node', node, 'items', items, 'key', key,
       'cursor', cursor_expression, 'deliver', deliver, 'first', first)`,
    z.intersection(
      PollUpdate,
      z
        .looseObject({ ...Times, intervalMs: z.number().nullable() })
        .refine((poll) => hasValidTimes(poll) && (poll.cron === null) !== (poll.intervalMs === null)),
    ),
  ],
  ['data_table', 'columns', Columns],
  ['connector', 'frame', ApiFrame],
  [
    'connector',
    `(SELECT coalesce(json_agg(json_build_object('id', o.operation, 'record', o.record)), '[]') FROM ${staged('connector_operation')} o
       WHERE o.connector_id = id)`,
    z
      .array(z.object({ id: z.string(), record: ApiOperation }))
      .max(MAX_OPERATIONS * 2)
      .refine((all) => all.every(({ id, record }) => id === record.id)),
  ],
];

const BATCH = 100;

/** Throws a BackupFault if a staged value has not the shape that the service gives it. */
export async function checkValues(stage: Stage): Promise<void> {
  for (const [table, value, shape] of SHAPES) {
    await stage.client.query(
      `DECLARE shapes NO SCROLL CURSOR FOR SELECT id, ${value} AS value FROM ${staged(table)} ORDER BY id`,
    );
    for (;;) {
      const { rows } = await stage.client.query<{ id: string; value: unknown }>(`FETCH ${BATCH} FROM shapes`);
      const wrong = rows.find((row) => !shape.safeParse(row.value).success);
      if (wrong) throw refused(`${wrong.id} (${table}) has a value that this version does not know`);
      if (rows.length < BATCH) break;
    }
    await stage.client.query('CLOSE shapes');
  }
  await checkRuns(stage);
  await checkFolders(stage);
}

/** States that belong together; a family of runs is a tree. */
async function checkRuns(stage: Stage): Promise<void> {
  await stage.refuse(
    `SELECT id AS found FROM ${staged('execution')} WHERE NOT coalesce(status = ANY($1) AND trigger = ANY($2)
       AND (status IN ('completed', 'failed')) = (completed_at IS NOT NULL), false)`,
    (found) => `the run ${found} has a state that this version does not know`,
    [EXECUTION_STATUSES, TRIGGERS],
  );
  await stage.refuse(
    `SELECT c.id AS found FROM ${staged('execution')} c JOIN ${staged('execution')} p ON p.id = c.parent_id WHERE c.depth <> p.depth + 1`,
    (found) => `the run ${found} is not below its parent`,
  );
}

async function checkFolders(stage: Stage): Promise<void> {
  await stage.refuse(
    `WITH RECURSIVE reached AS (
       SELECT id FROM ${staged('folder')} WHERE parent_id IS NULL
       UNION SELECT f.id FROM ${staged('folder')} f JOIN reached r ON f.parent_id = r.id
     )
     SELECT id AS found FROM ${staged('folder')} WHERE id NOT IN (SELECT id FROM reached)`,
    (found) => `the folder ${found} is inside itself`,
  );
}
