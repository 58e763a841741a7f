import {
  DEFAULT_WORKFLOW_SETTINGS,
  type RunLimit,
  type WorkflowSettings,
  type WorkflowSettingsChange,
} from '@/contract/workflows/workflow';
import { requireUse } from '@/server/access/references';
import type { Caller } from '@/server/access/caller';
import type { Db } from '@/server/db/client';
import { invalidField } from '@/server/errors/problem';
import { runtime } from '@/server/runtime';
import { isTimeZone } from '@/server/workflow/cron';

interface Row {
  settings: unknown;
  concurrencyLimit: number | null;
  concurrencyOverflow: string;
}

/** What the column holds: fields that are set, and who named the error workflow. The limit of runs has its own columns. */
type Stored = Partial<Omit<WorkflowSettings, 'concurrency'>> & { errorWorkflowBy?: string };

const stored = ({ settings }: Pick<Row, 'settings'>): Stored => settings as Stored;

/** The settings of a workflow as the API shows them. */
export function settingsOf(row: Row): WorkflowSettings {
  const { errorWorkflowBy: _, ...settings } = stored(row);
  return { ...DEFAULT_WORKFLOW_SETTINGS, ...settings, concurrency: row.concurrencyLimit };
}

/** A limit on runs as the API shows it. */
export const limitOf = (row: Omit<Row, 'settings'>): RunLimit | null =>
  row.concurrencyLimit === null
    ? null
    : { limit: row.concurrencyLimit, overflow: row.concurrencyOverflow as RunLimit['overflow'] };

/** The same in the format of the row; undefined: unchanged. */
export const limitColumns = (limit: RunLimit | null | undefined) =>
  limit === undefined
    ? {}
    : { concurrencyLimit: limit?.limit ?? null, concurrencyOverflow: limit?.overflow ?? 'queue' };

/** Throws unless the caller may have failed runs start this workflow of the workspace. */
export async function requireErrorWorkflow(db: Db, caller: Caller, id: string): Promise<void> {
  await requireUse(db, caller, { resource: 'workflow', id });
  const where = { id, workspaceId: caller.workspaceId };
  if ((await db.workflow.count({ where })) === 0)
    throw invalidField('settings.errorWorkflowId', 'is not a workflow of this workspace');
}

/** The service's own clean-up runs first: runs may be kept for a shorter time, not longer. */
export function requireKept(field: string, days: number): void {
  const most = runtime().env.executionRetentionDays;
  if (days > most) throw invalidField(field, `must be ${most} or less: no run is kept longer`);
}

/** The limit that a request asks for, by either of its two fields; undefined: unchanged. */
function limitAsked(before: Row | null, limit: RunLimit | null | undefined, count: number | null | undefined) {
  if (count === undefined) return limit;
  if (limit === undefined) {
    if (count === null) return null;
    return { limit: count, overflow: (before && limitOf(before)?.overflow) ?? 'queue' };
  }
  if ((limit?.limit ?? null) !== count) throw invalidField('settings.concurrency', 'differs from concurrency.limit');
  return limit;
}

/**
 * The columns that a request changes, checked. `before`: null for a new workflow. The person who names an error workflow
 * is recorded: error runs need their permission.
 */
export async function settingsColumns(
  db: Db,
  caller: Caller,
  before: (Row & { id: string }) | null,
  { settings, concurrency }: { settings?: WorkflowSettingsChange; concurrency?: RunLimit | null },
) {
  const limits = limitColumns(limitAsked(before, concurrency, settings?.concurrency));
  if (!settings) return limits;
  const { concurrency: _, ...changes } = settings;
  const { errorWorkflowId, timeZone, retentionDays } = changes;
  if (timeZone && !isTimeZone(timeZone)) throw invalidField('settings.timeZone', 'is not a known time zone');
  if (retentionDays) requireKept('settings.retentionDays', retentionDays);
  const old: Stored = before ? stored(before) : {};
  const next: Stored = { ...old, ...changes };
  if (errorWorkflowId && errorWorkflowId !== old.errorWorkflowId) {
    if (errorWorkflowId === before?.id) throw invalidField('settings.errorWorkflowId', 'must be another workflow');
    await requireErrorWorkflow(db, caller, errorWorkflowId);
    next.errorWorkflowBy = caller.userId;
  }
  if (next.saveData === 'all') delete next.saveData;
  if (errorWorkflowId === null) delete next.errorWorkflowBy;
  const set = Object.entries(next).filter(([, value]) => value !== null && value !== undefined);
  return { ...limits, settings: Object.fromEntries(set) };
}
