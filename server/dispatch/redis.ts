import { Redis } from 'ioredis';
import { log } from '../log';
import { openBus } from './bus';
import type { Dispatcher } from './dispatcher';
import { attend } from './postgres';
import { Tokens, type Connections } from './tokens';

const MINUTE_MS = 60_000;
const MAX_RETRY_MS = 1000;

/**
 * Socket.IO's adapter lets go of its commands' promises; a rejection that nobody handles would end the process. Whoever
 * waits for a command still hears of it.
 */
class Connection extends Redis {
  override sendCommand(...command: Parameters<Redis['sendCommand']>): unknown {
    const sent = super.sendCommand(...command);
    void Promise.resolve(sent).catch(() => undefined);
    return sent;
  }
}

/**
 * Dispatch over Redis or Valkey: BullMQ wakes one worker for an offer instead of all of them and keeps the timers,
 * Socket.IO's adapter carries the news of changes, and commits need no NOTIFY. What transactions of other people's
 * making notify (decisions, cancellations, keyed requests) still comes through PostgreSQL. While Redis is away polls
 * do its work.
 */
export function redisDispatcher(url: string): Dispatcher {
  const retryStrategy = (tries: number) => Math.min(tries * 100, MAX_RETRY_MS);
  const hasty = new Connection(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy });
  const patient = new Connection(url, { maxRetriesPerRequest: null, retryStrategy });
  const listener = new Connection(url, { maxRetriesPerRequest: null, retryStrategy });
  const all = [hasty, patient, listener];

  let isAway = false;
  let isClosed = false;
  const onLost = (error: unknown): void => {
    if (isAway || isClosed) return;
    isAway = true;
    log().warn({ err: error }, 'Redis is away; runs go on by polling');
  };
  for (const connection of all) connection.on('error', onLost);
  hasty.on('ready', () => {
    if (isAway) log().info('Redis is back');
    isAway = false;
  });

  const connections: Connections = { hasty, patient, onLost };
  const runs = new Tokens('runs', connections);
  const minutes = new Tokens('minutes', connections);
  const bus = openBus(hasty, listener);

  return {
    isInDatabase: false,
    pollMs: 2000,
    horizonMs: 250,
    offer: (at) => runs.offer(at),
    changed: (executionIds) => bus.say('changed', executionIds),
    visited: (workflowIds) => bus.say('visited', workflowIds),
    async attend(ears) {
      const heard = await attend(ears);
      const offered = await runs.hold(ears.look, ears.room);
      patient.on('ready', ears.onGap);
      return {
        async close() {
          patient.off('ready', ears.onGap);
          await Promise.all([heard.close(), offered.close()]);
        },
      };
    },
    async watch({ onChanged, onVisited, onGap }) {
      const heard = [bus.hear('changed', onChanged), bus.hear('visited', onVisited)];
      listener.on('ready', onGap);
      return {
        async close() {
          listener.off('ready', onGap);
          for (const each of heard) each.close();
        },
      };
    },
    async everyMinute(onMinute) {
      const wind = () => minutes.offer(new Date((Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS));
      // Whoever heard the last minute sets the timer for the next; all do now and then, for Redis may forget.
      const clock = setInterval(wind, MINUTE_MS / 4);
      clock.unref();
      patient.on('ready', wind);
      wind();
      const taken = await minutes.take(() => {
        wind();
        onMinute();
      });
      return {
        async close() {
          clearInterval(clock);
          patient.off('ready', wind);
          await taken.close();
        },
      };
    },
    async close() {
      isClosed = true;
      await Promise.all([runs.close(), minutes.close(), bus.close()]);
      for (const connection of all) connection.disconnect();
    },
  };
}
