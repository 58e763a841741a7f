import type { DatabaseClient } from '@/server/platform/db/client';
import { databasePool } from '@/server/platform/db/client';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import { chainValue, type MaybePromise } from '@/server/platform/timers/maybe-promise';
import { getRuntime } from '@/server/platform/runtime';
import type { ScopeReferences } from '@/server/evaluation/expressions/scope-references';
import type { StoppableWork } from '../load/stop';
import { ReadThroughCache } from './read-through-cache';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Reference data of nodes; shared by all copies of this module. */
    referenceData?: { variables: ReadThroughCache<WorkspaceVariables>; timeZones: ReadThroughCache<string> };
  }
}

export type WorkspaceVariables = Readonly<Record<string, unknown>>;

/** Data that a node reads besides that of its run. */
export interface NodeReferenceData {
  /** The workspace's variables by name. */
  vars: WorkspaceVariables;
  /** The workflow's time zone: the default of functions for dates. */
  timeZone: string;
}

/** The data for nodes that read neither variables nor the time zone, which most do not. */
const EMPTY_REFERENCE_DATA: NodeReferenceData = { vars: {}, timeZone: 'UTC' };
/** Maximum number of characters of all cached variables as JSON. */
const MAX_CACHED_VARIABLE_TEXT = 32 * 1024 * 1024;
const MAX_CACHED_TIME_ZONES = 10_000;

const referenceDataCaches = () =>
  (getRuntime().referenceData ??= {
    variables: new ReadThroughCache(readWorkspaceVariables, MAX_CACHED_VARIABLE_TEXT),
    timeZones: new ReadThroughCache(readWorkflowTimeZone, MAX_CACHED_TIME_ZONES),
  });

async function readWorkspaceVariables(workspaceId: string): Promise<{ value: WorkspaceVariables; weight: number }> {
  const { rows } = await databasePool().query<{ name: string; value: string }>({
    name: 'engine.variables',
    text: 'SELECT name, value::text FROM variable WHERE workspace_id = $1',
    values: [workspaceId],
  });
  const value = Object.fromEntries(rows.map((row) => [row.name, freezeDeep(JSON.parse(row.value))]));
  return { value, weight: rows.reduce((sum, row) => sum + row.value.length, 1) };
}

async function readWorkflowTimeZone(workflowId: string): Promise<{ value: string; weight: number }> {
  const { rows } = await databasePool().query<{ zone: string | null }>({
    name: 'engine.time-zone',
    text: `SELECT settings->>'timeZone' AS zone FROM workflow WHERE id = $1`,
    values: [workflowId],
  });
  return { value: rows[0]?.zone ?? EMPTY_REFERENCE_DATA.timeZone, weight: 1 };
}

/** Freezes a value deeply: runs share it, so none of them may change it. */
function freezeDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freezeDeep);
  return Object.freeze(value);
}

/**
 * The data that a node with these references reads: as it is when the node starts. A promise only if it is not cached.
 */
export function readReferenceData(
  { variables, timeZone }: Pick<ScopeReferences, 'variables' | 'timeZone'>,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
  until: StoppableWork,
): MaybePromise<NodeReferenceData> {
  if (!variables && !timeZone) return EMPTY_REFERENCE_DATA;
  const read = <Value>(cache: ReadThroughCache<Value>, id: string) =>
    cache.findCached(id) ?? retryWhileUnavailable(until.signal, () => cache.read(id));
  const vars = variables ? read(referenceDataCaches().variables, workspaceId) : EMPTY_REFERENCE_DATA.vars;
  const zone = timeZone ? read(referenceDataCaches().timeZones, workflowId) : EMPTY_REFERENCE_DATA.timeZone;
  return chainValue(vars, (known) => chainValue(zone, (name) => ({ vars: known, timeZone: name })));
}

/** Drops cached variables of these workspaces and time zones of these workflows, in this process. */
export function forgetReferenceData(ids: readonly string[]): void {
  for (const id of ids) {
    referenceDataCaches().variables.forget(id);
    referenceDataCaches().timeZones.forget(id);
  }
}

/** Drops all cached data in this process, because notifications may have been lost. */
export function forgetAllReferenceData(): void {
  getRuntime().referenceData = undefined;
}

/** Tells all processes to drop what they cache about these workspaces or workflows, once the transaction commits. */
export async function notifyReferenceData(db: DatabaseClient, ids: string[]): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${NOTIFY_CHANNELS.referenceData}, payload) FROM unnest(${splitNotifyPayloads(ids)}::text[]) payload`;
}
