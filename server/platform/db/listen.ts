import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { getRuntime } from '@/server/platform/runtime';
import { databasePool } from './client';
import { openDatabaseSession } from './session';

export interface NotifyListener {
  close(): Promise<void>;
}

const RECONNECT_PAUSE_MS = 250;
/** How often a listening session is asked whether it is still there, and how long it may take to answer. */
const LISTEN_HEARTBEAT_MS = 5000;

/**
 * Listens to NOTIFY on a separate connection and keeps it open over restarts of the database. Notifications during an
 * outage are lost, so `onReconnect` is called after every connect except the first. Resolves when first connected;
 * rejects if that fails. A session that only listens sends nothing, so a connection that ended silently is noticed by a
 * question at intervals.
 */
export async function listenToNotifications(
  channels: readonly string[],
  onMessage: (channel: string, payload: string) => void,
  onReconnect: () => void,
  beatMs = LISTEN_HEARTBEAT_MS,
): Promise<NotifyListener> {
  const address = getRuntime().env.databaseDirectUrl ?? databasePool().options.connectionString;
  const statements = channels.map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`);
  let isClosed = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const fresh = await openDatabaseSession(address, 'service');
    fresh.on('notification', ({ channel, payload }) => onMessage(channel, payload ?? ''));
    try {
      for (const statement of statements) await fresh.query(statement);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    // LISTEN for a channel that is listened to already changes nothing.
    const beat = setInterval(() => void endUnresponsiveSession(fresh, statements[0] ?? '', beatMs), beatMs).unref();
    // A loss emits both `error` and `end`; only `end` acts, or two reconnects would race.
    fresh.once('end', () => {
      clearInterval(beat);
      void reconnect();
    });
    return fresh;
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      try {
        client = await connect();
      } catch {
        await pause(RECONNECT_PAUSE_MS, undefined, { ref: false });
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

/** Ends a session that does not answer in time: node-postgres closes the connection at once while a query is open. */
async function endUnresponsiveSession(client: pg.Client, question: string, limitMs: number): Promise<void> {
  const late = setTimeout(() => void client.end().catch(() => undefined), limitMs);
  // A session that has broken meanwhile ends by itself.
  await client.query(question).catch(() => undefined);
  clearTimeout(late);
}
