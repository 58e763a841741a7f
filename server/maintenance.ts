import { Problem } from '@/server/errors/problem';
import { runtimeIfSet } from '@/server/runtime';

/** The service refuses changes and stops its background work; reading goes on, and deliveries are held. */
export interface Maintenance {
  /** What an operator tells users. */
  reason: string;
  since: Date;
}

declare module '@/server/runtime' {
  interface Runtime {
    /** As this process last read it; absent: normal operation. */
    maintenance?: Maintenance;
  }
}

/** Seconds after which a refused call is worth another try. */
const RETRY_AFTER = '30';

export const maintenance = (): Maintenance | undefined => runtimeIfSet()?.maintenance;

export const inMaintenance = ({ reason }: Maintenance): Problem =>
  new Problem(
    'INTERNAL_ERROR',
    `The service is in maintenance: ${reason} Reading works; try changes again later.`,
    [],
    {
      status: 503,
      headers: { 'Retry-After': RETRY_AFTER },
    },
  );

/** Throws 503 during maintenance. */
export function requireNormalOperation(): void {
  const current = maintenance();
  if (current) throw inMaintenance(current);
}
