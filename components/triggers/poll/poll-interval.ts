import type { PollTrigger } from '@/contract/triggers/poll';

const INTERVAL_UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3600, name: 'hour' },
  { seconds: 60, name: 'minute' },
] as const;

/** Says how often a poll asks its source. */
export function describePollInterval({ intervalMs, cron }: Pick<PollTrigger, 'intervalMs' | 'cron'>): string {
  if (intervalMs === null) return cron ?? '';
  const seconds = intervalMs / 1000;
  const unit = INTERVAL_UNITS.find((one) => seconds % one.seconds === 0);
  const count = seconds / (unit?.seconds ?? 1);
  const name = unit?.name ?? 'second';
  return count === 1 ? `Every ${name}` : `Every ${count} ${name}s`;
}
