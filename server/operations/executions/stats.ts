import { MAX_BUCKETS, Stats, StatsQuery } from '@/contract/stats';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { invalidField } from '@/server/errors/problem';
import { readStats } from '@/server/engine/store/stats';
import { workflowsCalled } from '../workflows/content';

const HOUR_MS = 3_600_000;
const BUCKET_MS = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS };
/** Buckets without `from`. */
const DEFAULT_BUCKETS = { minute: 60, hour: 24, day: 30 };

const read = operation({
  id: 'stats.get',
  method: 'GET',
  path: '/api/stats',
  summary: 'Count runs and measure their durations',
  description:
    'Finished runs by the time of their acceptance, in buckets of a minute, an hour or a day (UTC), and by workflow: at most 100, those ' +
    `with most failures first. Every bucket from \`from\` to \`to\` is there, at most ${MAX_BUCKETS}. Runs that were deleted are not ` +
    'counted. Needs `execution:read` on all runs.',
  tag: 'Executions',
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  query: StatsQuery,
  reply: jsonReply(Stats),
  async run({ db, caller: { workspaceId } }, { query }) {
    const { bucket, search, workflowId, trigger, partial } = query;
    const to = query.to ? new Date(query.to) : new Date();
    const from = query.from
      ? new Date(query.from)
      : new Date(to.getTime() - DEFAULT_BUCKETS[bucket] * BUCKET_MS[bucket]);
    if (from >= to) throw invalidField('from', 'must be before to');
    if ((to.getTime() - from.getTime()) / BUCKET_MS[bucket] > MAX_BUCKETS)
      throw invalidField('from', `must not lead to more than ${MAX_BUCKETS} buckets`);
    const workflowIds = search
      ? await workflowsCalled(db, workspaceId, search, workflowId)
      : workflowId && [workflowId];
    const isPartial = partial === undefined ? undefined : partial === 'true';
    return readStats({ workspaceId, from, to, bucket, workflowIds: workflowIds || undefined, trigger, isPartial });
  },
});

export const stats = [read];
