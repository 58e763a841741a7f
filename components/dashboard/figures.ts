import type { ExecutionStats } from '@/contract/stats';

type RunStatsBucket = ExecutionStats['buckets'][number];

/** All runs of the buckets together. */
export function sumRunTotals(buckets: RunStatsBucket[]) {
  const sum = (name: 'completed' | 'failed' | 'cancelled') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const completed = sum('completed');
  const failed = sum('failed');
  const judged = completed + failed;
  return { completed, failed, cancelled: sum('cancelled'), successRate: judged === 0 ? null : completed / judged };
}
