import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { pool } from './client';

export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 250;

/**
 * Listens to NOTIFY on a separate connection and keeps it open over restarts of the database. Notifications during an outage are lost, so
 * `onReconnect` is called after every connect except the first. Resolves when first connected; rejects if that fails.
 */
export async function listen(
  channels: readonly string[],
  onMessage: (channel: string, payload: string) => void,
  onReconnect: () => void,
): Promise<Listener> {
  const { connectionString } = pool().options;
  let isClosed = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, keepAlive: true });
    // A loss emits both `error` and `end`; only `end` acts, or two reconnects would race.
    fresh.on('error', () => undefined);
    fresh.on('notification', ({ channel, payload }) => onMessage(channel, payload ?? ''));
    try {
      await fresh.connect();
      for (const channel of channels) await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    fresh.once('end', () => void reconnect());
    return fresh;
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        client = await connect();
      } catch {
        await pause(RETRY_MS, undefined, { ref: false });
        continue;
      }
      if (isClosed) await client.end();
      else onReconnect();
      return;
    }
  }

  return {
    async close() {
      isClosed = true;
      await client.end();
    },
  };
}
