import { listen, type Listener } from '../db/listen';
import { pool } from '../db/client';
import { CHANNELS, payloads } from '../engine/channels';
import { log } from '../log';
import type { Dispatcher, Ears, Eyes } from './dispatcher';

/** Anybody with access to the database can notify; what isn't a list of ids is no news. */
function idsIn(payload: string): string[] {
  try {
    const ids: unknown = JSON.parse(payload);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Hears what transactions notify on their commit. */
export const attend = ({ onWork, onWishes, onGap }: Ears): Promise<Listener> =>
  listen(
    [CHANNELS.work, CHANNELS.wishes],
    (channel, payload) => (channel === CHANNELS.work ? onWork() : onWishes(idsIn(payload))),
    onGap,
  );

const watch = ({ onChanged, onVisited, onGap }: Eyes): Promise<Listener> =>
  listen(
    [CHANNELS.changes, CHANNELS.visits],
    (channel, payload) => (channel === CHANNELS.changes ? onChanged : onVisited)(idsIn(payload)),
    onGap,
  );

const visited = (workflowIds: string[]): void => {
  const notified = pool().query('SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload', [
    CHANNELS.visits,
    payloads(workflowIds),
  ]);
  notified.catch((error: unknown) => log().warn({ err: error }, 'nobody was told who came to a workflow'));
};

/** The default: LISTEN and NOTIFY, and nothing else to run. Each worker hears each offer, and keeps time by itself. */
export const postgresDispatcher: Dispatcher = {
  isInDatabase: true,
  pollMs: 1000,
  horizonMs: Infinity,
  offer: () => undefined,
  changed: () => undefined,
  visited,
  attend,
  watch,
  everyMinute: async () => ({ close: async () => undefined }),
  close: async () => undefined,
};
