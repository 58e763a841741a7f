import type { Db } from '@/server/db/client';
import { pool } from '@/server/db/client';
import { CHANNELS, payloads } from '@/server/db/notify-channels';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import { chain, type MaybePromise } from '@/server/maybe-promise';
import { runtime } from '@/server/runtime';
import type { References } from '@/server/expressions/references';
import type { Stoppable } from '../load/stop';
import { ReadThroughCache } from './read-through-cache';

declare module '@/server/runtime' {
  interface Runtime {
    /** Reference data of nodes; shared by all copies of this module. */
    referenceData?: { variables: ReadThroughCache<Variables>; timeZones: ReadThroughCache<string> };
  }
}

export type Variables = Readonly<Record<string, unknown>>;

/** Data that a node reads besides that of its run. */
export interface ReferenceData {
  /** The workspace's variables by name. */
  vars: Variables;
  /** The workflow's time zone: the default of functions for dates. */
  timeZone: string;
}

/** What most nodes get: they read neither. */
const NONE: ReferenceData = { vars: {}, timeZone: 'UTC' };
/** Characters of JSON of all cached variables. */
const MAX_VARIABLES = 32 * 1024 * 1024;
const MAX_TIME_ZONES = 10_000;

const caches = () =>
  (runtime().referenceData ??= {
    variables: new ReadThroughCache(readVariables, MAX_VARIABLES),
    timeZones: new ReadThroughCache(readTimeZone, MAX_TIME_ZONES),
  });

async function readVariables(workspaceId: string): Promise<{ value: Variables; weight: number }> {
  const { rows } = await pool().query<{ name: string; value: string }>({
    name: 'engine.variables',
    text: 'SELECT name, value::text FROM variable WHERE workspace_id = $1',
    values: [workspaceId],
  });
  const value = Object.fromEntries(rows.map((row) => [row.name, frozen(JSON.parse(row.value))]));
  return { value, weight: rows.reduce((sum, row) => sum + row.value.length, 1) };
}

async function readTimeZone(workflowId: string): Promise<{ value: string; weight: number }> {
  const { rows } = await pool().query<{ zone: string | null }>({
    name: 'engine.time-zone',
    text: `SELECT settings->>'timeZone' AS zone FROM workflow WHERE id = $1`,
    values: [workflowId],
  });
  return { value: rows[0]?.zone ?? NONE.timeZone, weight: 1 };
}

/** Runs share the value, so that none of them may change it. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** The data that a node with these references reads: as it is when the node starts. A promise only if it is not cached. */
export function referenceData(
  { variables, timeZone }: Pick<References, 'variables' | 'timeZone'>,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
  until: Stoppable,
): MaybePromise<ReferenceData> {
  if (!variables && !timeZone) return NONE;
  const read = <Value>(cache: ReadThroughCache<Value>, id: string) =>
    cache.cached(id) ?? retryWhileUnavailable(until.signal, () => cache.read(id));
  const vars = variables ? read(caches().variables, workspaceId) : NONE.vars;
  const zone = timeZone ? read(caches().timeZones, workflowId) : NONE.timeZone;
  return chain(vars, (known) => chain(zone, (name) => ({ vars: known, timeZone: name })));
}

/** Drops cached variables of these workspaces and time zones of these workflows, in this process. */
export function forgetReferenceData(ids: readonly string[]): void {
  for (const id of ids) {
    caches().variables.forget(id);
    caches().timeZones.forget(id);
  }
}

/** The same for all: notifications may have been lost. */
export function forgetAllReferenceData(): void {
  runtime().referenceData = undefined;
}

/** Has all processes drop what they cache about these workspaces or workflows, once the transaction commits. */
export async function notifyReferenceData(db: Db, ids: string[]): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${CHANNELS.referenceData}, payload) FROM unnest(${payloads(ids)}::text[]) payload`;
}
