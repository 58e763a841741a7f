import { Redis } from 'ioredis';
import { log } from '@/server/log';
import { messagesOf, pieceIn } from './answer-text';
import { idsIn, openBus, type Topic } from './bus';
import { subscribeToPins, subscribeToWork } from './postgres';
import { Tokens, type Connections } from './redis-queue';
import type { Dispatcher } from './events';

const MINUTE_MS = 60_000;
const MAX_RETRY_MS = 1000;

/**
 * Dispatch over Redis or Valkey: BullMQ wakes one worker instead of all of them and keeps the timers, publish/subscribe distributes
 * changes, and commits need no NOTIFY. Notifications inside transactions (decisions, cancellations, pins, keyed requests) still come through
 * PostgreSQL. While Redis is down, polls take over.
 */
export function redisDispatcher(url: string): Dispatcher {
  const retryStrategy = (tries: number) => Math.min(tries * 100, MAX_RETRY_MS);
  const failFast = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy });
  const blocking = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  const listener = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  const all = [failFast, blocking, listener];

  let isAway = false;
  let isClosed = false;
  const onLost = (error: unknown): void => {
    if (isAway || isClosed) return;
    isAway = true;
    log().warn({ err: error }, 'Redis is unavailable; runs continue by polling');
  };
  for (const connection of all) connection.on('error', onLost);
  failFast.on('ready', () => {
    if (isAway) log().info('Redis is available again');
    isAway = false;
  });

  const connections: Connections = { failFast, blocking, onLost };
  const runs = new Tokens('runs', connections);
  const minutes = new Tokens('minutes', connections);
  const bus = openBus(failFast, listener, onLost);
  const publishIds = (topic: Topic, ids: string[]) => bus.publish(topic, JSON.stringify(ids));
  const subscribeToIds = (topic: Topic, onIds: (ids: string[]) => void) =>
    bus.subscribe(topic, (message) => {
      const ids = idsIn(message);
      if (ids.length > 0) onIds(ids);
    });

  return {
    isInDatabase: false,
    pollMs: 2000,
    horizonMs: 250,
    notifyWork: (at) => runs.offer(at),
    changed: (executionIds) => publishIds('changed', executionIds),
    presenceChanged: (workflowIds) => publishIds('presence', workflowIds),
    webhookCalled: (workflowIds) => publishIds('webhook_calls', workflowIds),
    answerWritten(piece) {
      for (const message of messagesOf(piece)) bus.publish('answer_text', message);
    },
    async watchAnswers(onText) {
      const subscription = bus.subscribe('answer_text', (message) => {
        const piece = pieceIn(message);
        if (piece) onText(piece);
      });
      return { close: async () => subscription.close() };
    },
    async subscribeWorker(events) {
      const notifications = await subscribeToWork(events);
      const tokens = await runs.lookWhileHeld(events.look, events.room);
      blocking.on('ready', events.onGap);
      return {
        async close() {
          blocking.off('ready', events.onGap);
          await Promise.all([notifications.close(), tokens.close()]);
        },
      };
    },
    async watch({ onChanged, onPresence, onWebhookCalls, onPins, onGap }) {
      const subscriptions = [
        subscribeToIds('changed', onChanged),
        subscribeToIds('presence', onPresence),
        subscribeToIds('webhook_calls', onWebhookCalls),
      ];
      const pins = onPins && (await subscribeToPins(onPins, onGap));
      listener.on('ready', onGap);
      return {
        async close() {
          listener.off('ready', onGap);
          for (const each of subscriptions) each.close();
          await pins?.close();
        },
      };
    },
    async everyMinute(onMinute) {
      const setMinuteTimer = () => minutes.offer(new Date((Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS));
      // The process that received the last minute sets the timer for the next. All processes set it from time to time, because Redis may
      // lose it.
      const clock = setInterval(setMinuteTimer, MINUTE_MS / 4);
      clock.unref();
      blocking.on('ready', setMinuteTimer);
      setMinuteTimer();
      const subscription = await minutes.take(() => {
        setMinuteTimer();
        onMinute();
      });
      return {
        async close() {
          clearInterval(clock);
          blocking.off('ready', setMinuteTimer);
          await subscription.close();
        },
      };
    },
    async close() {
      isClosed = true;
      await Promise.all([runs.close(), minutes.close()]);
      for (const connection of all) connection.disconnect();
    },
  };
}
