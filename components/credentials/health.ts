import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import type { Credential } from '@/contract/credentials/credential';
import type { Look } from '@/components/ui/states/status';

export type Health = 'active' | 'soon' | 'expired';

const SOON_MS = 7 * 86_400_000;

/** A token that is refreshed expires only if the provider refuses the refresh. `now` is in milliseconds since 1970. */
export function healthOf(
  credential: Pick<Credential, 'status' | 'expiresAt' | 'secretFields'>,
  isMachine: boolean,
  now: number,
): Health {
  if (credential.status === 'expired') return 'expired';
  const isRenewed = isMachine || credential.secretFields.includes('refreshToken');
  if (credential.expiresAt === null || isRenewed) return 'active';
  const left = Date.parse(credential.expiresAt) - now;
  return left <= 0 ? 'expired' : left < SOON_MS ? 'soon' : 'active';
}

export const HEALTH_LOOK: Record<Health, Look> = {
  active: { label: 'Active', icon: IconCheck, tone: 'done' },
  soon: { label: 'Expires soon', icon: IconClock, tone: 'waiting' },
  expired: { label: 'Expired', icon: IconAlertTriangle, tone: 'failed' },
};
