import type { Stats } from '@/contract/stats';

type Bucket = Stats['buckets'][number];

/** All runs of the buckets together. */
export function totalsOf(buckets: Bucket[]) {
  const sum = (name: 'completed' | 'failed' | 'cancelled') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0);
  const completed = sum('completed');
  const failed = sum('failed');
  const judged = completed + failed;
  return { completed, failed, cancelled: sum('cancelled'), successRate: judged === 0 ? null : completed / judged };
}
