import { pool } from '@/server/db/client';
import { log } from '@/server/log';
import { maintenance, type Maintenance } from '@/server/maintenance';
import { repeat } from '@/server/repeat';
import { runtime } from '@/server/runtime';

/** How often a process looks whether maintenance has begun or ended, in milliseconds. */
export const WATCH_MS = 1000;

interface Watch {
  stop(): Promise<void>;
}

/**
 * Follows the table `maintenance`: sets the state of this process, and calls `onChange` with whether maintenance is on, one call after the
 * other. Resolves when the state at the start is known.
 */
export async function watchMaintenance(onChange: (isOn: boolean) => Promise<void>): Promise<Watch> {
  async function look(): Promise<void> {
    const current = await readMaintenance();
    const isOn = current !== undefined;
    runtime().maintenance = current;
    if (isOn === wasOn) return;
    log().warn(current ?? {}, isOn ? 'maintenance begins: changes are refused' : 'maintenance has ended');
    await onChange(isOn);
    // Not before: a change that fails is tried again.
    wasOn = isOn;
  }
  runtime().maintenance = await readMaintenance();
  let wasOn = maintenance() !== undefined;
  const watching = repeat(look, WATCH_MS, (error) => log().warn({ err: error }, 'maintenance could not be looked up'));
  watching.now();
  return { stop: () => watching.stop() };
}

async function readMaintenance(): Promise<Maintenance | undefined> {
  const { rows } = await pool().query<Maintenance>({
    name: 'boot.maintenance',
    text: 'SELECT reason, since FROM maintenance',
  });
  return rows[0];
}
