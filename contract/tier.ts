import { z } from 'zod';
import './in-browsers';

/** Requests per minute and burst of each tier. `unlimited` shows a million. */
export const RATE_LIMITS_BY_TIER = {
  free: { perMinute: 60, burst: 100 },
  starter: { perMinute: 300, burst: 500 },
  enterprise: { perMinute: 1000, burst: 2000 },
  unlimited: { perMinute: 1_000_000, burst: 1_000_000 },
} as const;

export const WorkspaceTier = z
  .enum(['free', 'starter', 'enterprise', 'unlimited'])
  .meta({ id: 'Tier', description: 'The limits of a workspace' });
export type WorkspaceTier = z.infer<typeof WorkspaceTier>;
