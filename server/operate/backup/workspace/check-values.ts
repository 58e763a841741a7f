import { z } from 'zod';
import { RolePermission } from '@/contract/access/role';
import { EXECUTION_STATUSES, TRIGGER_TYPES, WORKFLOW_STATUSES } from '@/contract/states';
import { COLUMN_NAME_PATTERN, MAX_TABLE_COLUMNS } from '@/contract/tables/table-columns';
import { TableColumn } from '@/contract/tables/table';
import { UpdatePollRequest } from '@/contract/triggers/poll';
import { UpdateScheduleRequest } from '@/contract/triggers/schedule';
import { WorkflowDefinition, WorkflowSettings } from '@/contract/workflows/workflow';
import { WorkspaceSettings } from '@/contract/workspace';
import { ApiConnection, ApiOperation, MAX_CONNECTOR_OPERATIONS } from '@/server/evaluation/openapi/record';
import { cronIssues } from '@/server/workflow/definition/cron';
import { refusedExportFault, stagedTableName, type ImportStage } from './stage';

const importedEmailSchema = z
  .email()
  .max(320)
  .refine((text) => text === text.toLowerCase());

const scheduleTimesShape = { cron: z.string().nullable(), timezone: z.string().nullable() };
const hasValidScheduleTimes = ({ cron, timezone }: z.infer<z.ZodObject<typeof scheduleTimesShape>>) =>
  cron === null || cronIssues(cron, timezone ?? 'UTC').every(({ message }) => message === 'never fires');

const tableColumnsSchema = z
  .array(TableColumn.extend({ id: z.string().regex(/^c\d{1,4}$/), name: z.string().regex(COLUMN_NAME_PATTERN) }))
  .max(MAX_TABLE_COLUMNS)
  .refine((columns) => new Set(columns.map(({ id }) => id)).size === columns.length);

/**
 * What the service reads from a row without checking it again, by table: SQL of the value, as JSON, and its shape. A
 * wrong value could stop work that a process does for all workspaces.
 */
const STAGED_VALUE_SHAPES: [table: string, value: string, shape: z.ZodType][] = [
  ['workspace', 'settings', z.object(WorkspaceSettings.shape).partial()],
  ['workspace', `json_build_object('name', name)`, z.object({ name: z.string().min(1).max(200) })],
  [
    'app_user',
    `json_build_object('email', email, 'name', name)`,
    z.object({ email: importedEmailSchema, name: z.string().max(1000) }),
  ],
  ['role', 'permissions', z.array(RolePermission)],
  ['workflow', 'settings', z.object(WorkflowSettings.shape).partial()],
  ['workflow', `json_build_object('status', status)`, z.object({ status: z.enum(WORKFLOW_STATUSES) })],
  ['workflow', 'definition', WorkflowDefinition],
  ['workflow_version', 'definition', WorkflowDefinition],
  [
    'schedule',
    `json_build_object('cron', cron, 'timezone', timezone, 'input', input, 'overlap', overlap)`,
    z.intersection(UpdateScheduleRequest, z.looseObject(scheduleTimesShape).refine(hasValidScheduleTimes)),
  ],
  [
    'poll',
    `json_build_object('name', name, 'intervalMs', interval_ms, 'cron', cron, 'timezone', timezone, 'node', node, 'items', items, 'key', key,
       'cursor', cursor_expression, 'language', language, 'deliver', deliver, 'first', first)`,
    z.intersection(
      UpdatePollRequest,
      z
        .looseObject({ ...scheduleTimesShape, intervalMs: z.number().nullable() })
        .refine((poll) => hasValidScheduleTimes(poll) && (poll.cron === null) !== (poll.intervalMs === null)),
    ),
  ],
  ['data_table', 'columns', tableColumnsSchema],
  ['connector', 'frame', ApiConnection],
  [
    'connector',
    `(SELECT coalesce(json_agg(json_build_object('id', o.operation, 'record', o.record)), '[]') FROM ${stagedTableName('connector_operation')} o
       WHERE o.connector_id = id)`,
    z
      .array(z.object({ id: z.string(), record: ApiOperation }))
      .max(MAX_CONNECTOR_OPERATIONS * 2)
      .refine((all) => all.every(({ id, record }) => id === record.id)),
  ],
];

const VALUE_BATCH_SIZE = 100;

/** Throws a BackupFault if a staged value has not the shape that the service gives it. */
export async function checkStagedValues(stage: ImportStage): Promise<void> {
  for (const [table, value, shape] of STAGED_VALUE_SHAPES) {
    await stage.client.query(
      `DECLARE shapes NO SCROLL CURSOR FOR SELECT id, ${value} AS value FROM ${stagedTableName(table)} ORDER BY id`,
    );
    for (;;) {
      const { rows } = await stage.client.query<{ id: string; value: unknown }>(
        `FETCH ${VALUE_BATCH_SIZE} FROM shapes`,
      );
      const wrong = rows.find((row) => !shape.safeParse(row.value).success);
      if (wrong) throw refusedExportFault(`${wrong.id} (${table}) has a value that this version does not know`);
      if (rows.length < VALUE_BATCH_SIZE) break;
    }
    await stage.client.query('CLOSE shapes');
  }
  await checkStagedRuns(stage);
  await checkStagedFolders(stage);
}

/** States that belong together; a family of runs is a tree. */
async function checkStagedRuns(stage: ImportStage): Promise<void> {
  await stage.refuse(
    `SELECT id AS found FROM ${stagedTableName('execution')} WHERE NOT coalesce(status = ANY($1) AND trigger = ANY($2)
       AND (status IN ('completed', 'failed')) = (completed_at IS NOT NULL), false)`,
    (found) => `the run ${found} has a state that this version does not know`,
    [EXECUTION_STATUSES, TRIGGER_TYPES],
  );
  await stage.refuse(
    `SELECT c.id AS found FROM ${stagedTableName('execution')} c JOIN ${stagedTableName('execution')} p ON p.id = c.parent_id WHERE c.depth <> p.depth + 1`,
    (found) => `the run ${found} is not below its parent`,
  );
}

async function checkStagedFolders(stage: ImportStage): Promise<void> {
  await stage.refuse(
    `WITH RECURSIVE reached AS (
       SELECT id FROM ${stagedTableName('folder')} WHERE parent_id IS NULL
       UNION SELECT f.id FROM ${stagedTableName('folder')} f JOIN reached r ON f.parent_id = r.id
     )
     SELECT id AS found FROM ${stagedTableName('folder')} WHERE id NOT IN (SELECT id FROM reached)`,
    (found) => `the folder ${found} is inside itself`,
  );
}
