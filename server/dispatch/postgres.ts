import { listen, type Listener } from '../db/listen';
import { CHANNELS } from '../engine/channels';
import type { Dispatcher, Ears } from './dispatcher';

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

/** The default: LISTEN and NOTIFY, and nothing else to run. Each worker hears each offer, and keeps time by itself. */
export const postgresDispatcher: Dispatcher = {
  isInDatabase: true,
  pollMs: 1000,
  horizonMs: Infinity,
  offer: () => undefined,
  changed: () => undefined,
  attend,
  watch: (onChanged, onGap) => listen([CHANNELS.changes], (_, payload) => onChanged(idsIn(payload)), onGap),
  everyMinute: async () => ({ close: async () => undefined }),
  close: async () => undefined,
};
