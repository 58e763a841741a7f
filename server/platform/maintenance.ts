import { ApiProblem } from '@/server/platform/errors/problem';
import { runtimeIfSet } from '@/server/platform/runtime';

/** The service refuses changes and stops its background work; reading goes on, and deliveries are held. */
export interface MaintenanceState {
  /** The message of the operator to users. */
  reason: string;
  since: Date;
}

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** The state that this process read last. It is absent during normal operation. */
    maintenance?: MaintenanceState;
  }
}

/** Seconds after which a refused call is worth another try. */
const MAINTENANCE_RETRY_SECONDS = '30';

export const currentMaintenance = (): MaintenanceState | undefined => runtimeIfSet()?.maintenance;

export const maintenanceProblem = ({ reason }: MaintenanceState): ApiProblem =>
  new ApiProblem(
    'INTERNAL_ERROR',
    `The service is in maintenance: ${reason} Reading works; try changes again later.`,
    [],
    {
      status: 503,
      headers: { 'Retry-After': MAINTENANCE_RETRY_SECONDS },
    },
  );

/** Throws 503 during maintenance. */
export function requireNormalOperation(): void {
  const current = currentMaintenance();
  if (current) throw maintenanceProblem(current);
}
