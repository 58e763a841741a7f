import { databasePool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { currentMaintenance, type MaintenanceState } from '@/server/platform/maintenance';
import { repeatAction } from '@/server/platform/timers/repeat';
import { getRuntime } from '@/server/platform/runtime';

/** The interval, in milliseconds, at which a process checks whether maintenance has begun or ended. */
export const MAINTENANCE_POLL_INTERVAL_MS = 1000;

interface MaintenanceWatch {
  stop(): Promise<void>;
}

/**
 * Follows the table `currentMaintenance`: sets the state of this process, and calls `onChange` with whether maintenance
 * is on, one call after the other. Resolves when the state at the start is known.
 */
export async function watchMaintenance(onChange: (isOn: boolean) => Promise<void>): Promise<MaintenanceWatch> {
  async function look(): Promise<void> {
    const current = await readMaintenanceRow();
    const isOn = current !== undefined;
    getRuntime().maintenance = current;
    if (isOn === wasOn) return;
    serviceLog().warn(current ?? {}, isOn ? 'maintenance begins: changes are refused' : 'maintenance has ended');
    await onChange(isOn);
    // The state is set after the change, so that a change that fails is tried again.
    wasOn = isOn;
  }
  getRuntime().maintenance = await readMaintenanceRow();
  let wasOn = currentMaintenance() !== undefined;
  const watching = repeatAction(look, MAINTENANCE_POLL_INTERVAL_MS, (error) =>
    serviceLog().warn({ err: error }, 'maintenance could not be looked up'),
  );
  watching.wake();
  return { stop: () => watching.stop() };
}

async function readMaintenanceRow(): Promise<MaintenanceState | undefined> {
  const { rows } = await databasePool().query<MaintenanceState>({
    name: 'boot.maintenance',
    text: 'SELECT reason, since FROM maintenance',
  });
  return rows[0];
}
