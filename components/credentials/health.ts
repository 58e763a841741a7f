import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import type { CredentialResponse } from '@/contract/credentials/credential';
import type { StatusStyle } from '@/components/ui/states/status-style';

export type CredentialHealth = 'active' | 'soon' | 'expired';

const EXPIRES_SOON_MS = 7 * 86_400_000;

/** A token that is refreshed expires only if the provider refuses the refresh. `now` is in milliseconds since 1970. */
export function credentialHealth(
  credential: Pick<CredentialResponse, 'status' | 'expiresAt' | 'secretFields'>,
  isMachine: boolean,
  now: number,
): CredentialHealth {
  if (credential.status === 'expired') return 'expired';
  const isRenewed = isMachine || credential.secretFields.includes('refreshToken');
  if (credential.expiresAt === null || isRenewed) return 'active';
  const left = Date.parse(credential.expiresAt) - now;
  return left <= 0 ? 'expired' : left < EXPIRES_SOON_MS ? 'soon' : 'active';
}

export const CREDENTIAL_HEALTH_STYLE: Record<CredentialHealth, StatusStyle> = {
  active: { label: 'Active', icon: IconCheck, tone: 'done' },
  soon: { label: 'Expires soon', icon: IconClock, tone: 'waiting' },
  expired: { label: 'Expired', icon: IconAlertTriangle, tone: 'failed' },
};
