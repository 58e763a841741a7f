import { MAX_STATS_BUCKETS, ExecutionStats, ExecutionStatsQuery } from '@/contract/stats';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { readRunStats } from '@/server/engine/store/stats';
import { findWorkflowIdsByName } from '../workflows/workflow-rows';
import { MS_PER_HOUR } from '@/contract/units';

const BUCKET_DURATION_MS = { minute: 60_000, hour: MS_PER_HOUR, day: 24 * MS_PER_HOUR };
/** The number of buckets of a request without `from`. */
const DEFAULT_BUCKET_COUNT = { minute: 60, hour: 24, day: 30 };

const readStatsOperation = defineOperation({
  id: 'stats.get',
  method: 'GET',
  path: '/api/stats',
  summary: 'Count runs and measure their durations',
  description:
    'Finished runs by the time of their acceptance, in buckets of a minute, an hour or a day (UTC), and by workflow: at most 100, those ' +
    `with most failures first. Every bucket from \`from\` to \`to\` is there, at most ${MAX_STATS_BUCKETS}. Runs that were deleted are not ` +
    'counted. Needs `execution:read` on all runs.',
  tag: 'Executions',
  access: memberAccess('execution', 'read'),
  effect: readEffect(),
  query: ExecutionStatsQuery,
  reply: jsonReply(ExecutionStats),
  async run({ db, caller: { workspaceId } }, { query }) {
    const { bucket, search, workflowId, trigger, partial } = query;
    const to = query.to ? new Date(query.to) : new Date();
    const from = query.from
      ? new Date(query.from)
      : new Date(to.getTime() - DEFAULT_BUCKET_COUNT[bucket] * BUCKET_DURATION_MS[bucket]);
    if (from >= to) throw invalidFieldProblem('from', 'must be before to');
    if ((to.getTime() - from.getTime()) / BUCKET_DURATION_MS[bucket] > MAX_STATS_BUCKETS)
      throw invalidFieldProblem('from', `must not lead to more than ${MAX_STATS_BUCKETS} buckets`);
    const workflowIds = search
      ? await findWorkflowIdsByName(db, workspaceId, search, workflowId)
      : workflowId && [workflowId];
    const isPartial = partial === undefined ? undefined : partial === 'true';
    return readRunStats({ workspaceId, from, to, bucket, workflowIds: workflowIds || undefined, trigger, isPartial });
  },
});

export const statsOperations = [readStatsOperation];
