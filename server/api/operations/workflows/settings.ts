import {
  DEFAULT_WORKFLOW_SETTINGS,
  type ConcurrencyLimit,
  type WorkflowSettings,
  type UpdateWorkflowSettings,
} from '@/contract/workflows/workflow';
import { requireReferenceUse } from '@/server/people/access/references';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { getRuntime } from '@/server/platform/runtime';
import { isKnownTimeZone } from '@/server/workflow/definition/cron';

interface SettingsRow {
  settings: unknown;
  concurrencyLimit: number | null;
  concurrencyOverflow: string;
}

/**
 * The column holds the fields that are set, and who named the error workflow. The limit of runs has columns of its own.
 */
type StoredSettings = Partial<Omit<WorkflowSettings, 'concurrency'>> & { errorWorkflowBy?: string };

const readStoredSettings = ({ settings }: Pick<SettingsRow, 'settings'>): StoredSettings => settings as StoredSettings;

/** The settings of a workflow as the API shows them. */
export function toWorkflowSettings(row: SettingsRow): WorkflowSettings {
  const { errorWorkflowBy: _, ...settings } = readStoredSettings(row);
  return { ...DEFAULT_WORKFLOW_SETTINGS, ...settings, concurrency: row.concurrencyLimit };
}

/** A limit on runs as the API shows it. */
export const toRunLimit = (row: Omit<SettingsRow, 'settings'>): ConcurrencyLimit | null =>
  row.concurrencyLimit === null
    ? null
    : { limit: row.concurrencyLimit, overflow: row.concurrencyOverflow as ConcurrencyLimit['overflow'] };

/** Turns a limit on runs into its columns. An undefined limit changes none. */
export const toRunLimitColumns = (limit: ConcurrencyLimit | null | undefined) =>
  limit === undefined
    ? {}
    : { concurrencyLimit: limit?.limit ?? null, concurrencyOverflow: limit?.overflow ?? 'queue' };

/** Throws unless the caller may have failed runs start this workflow of the workspace. */
export async function requireErrorWorkflow(db: DatabaseClient, caller: WorkspaceCaller, id: string): Promise<void> {
  await requireReferenceUse(db, caller, { resource: 'workflow', id });
  const where = { id, workspaceId: caller.workspaceId };
  if ((await db.workflow.count({ where })) === 0)
    throw invalidFieldProblem('settings.errorWorkflowId', 'is not a workflow of this workspace');
}

/** Throws if runs are to be kept for longer than the service keeps any. */
export function requireRetentionDays(field: string, days: number): void {
  const most = getRuntime().env.executionRetentionDays;
  if (days > most) throw invalidFieldProblem(field, `must be ${most} or less: no run is kept longer`);
}

/** The limit that a request asks for, by either of its two fields; undefined: unchanged. */
function requestedRunLimit(
  before: SettingsRow | null,
  limit: ConcurrencyLimit | null | undefined,
  count: number | null | undefined,
) {
  if (count === undefined) return limit;
  if (limit === undefined) {
    if (count === null) return null;
    return { limit: count, overflow: (before && toRunLimit(before)?.overflow) ?? 'queue' };
  }
  if ((limit?.limit ?? null) !== count)
    throw invalidFieldProblem('settings.concurrency', 'differs from concurrency.limit');
  return limit;
}

/**
 * The columns that a request changes, checked. `before`: null for a new workflow. The person who names an error
 * workflow is recorded: error runs need their permission.
 */
export async function toSettingsColumns(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  before: (SettingsRow & { id: string }) | null,
  { settings, concurrency }: { settings?: UpdateWorkflowSettings; concurrency?: ConcurrencyLimit | null },
) {
  const limits = toRunLimitColumns(requestedRunLimit(before, concurrency, settings?.concurrency));
  if (!settings) return limits;
  const { concurrency: _, ...changes } = settings;
  const { errorWorkflowId, timeZone, retentionDays } = changes;
  if (timeZone && !isKnownTimeZone(timeZone))
    throw invalidFieldProblem('settings.timeZone', 'is not a known time zone');
  if (retentionDays) requireRetentionDays('settings.retentionDays', retentionDays);
  const old: StoredSettings = before ? readStoredSettings(before) : {};
  const next: StoredSettings = { ...old, ...changes };
  if (errorWorkflowId && errorWorkflowId !== old.errorWorkflowId) {
    if (errorWorkflowId === before?.id)
      throw invalidFieldProblem('settings.errorWorkflowId', 'must be another workflow');
    await requireErrorWorkflow(db, caller, errorWorkflowId);
    next.errorWorkflowBy = caller.userId;
  }
  if (next.saveData === 'all') delete next.saveData;
  if (errorWorkflowId === null) delete next.errorWorkflowBy;
  const set = Object.entries(next).filter(([, value]) => value !== null && value !== undefined);
  return { ...limits, settings: Object.fromEntries(set) };
}
