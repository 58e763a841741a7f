import { Redis } from 'ioredis';
import { serviceLog } from '@/server/platform/log';
import { encodeReplyText, decodeReplyText } from './reply-text';
import { parseMessageIds, openRedisBus, type BusTopic } from './bus';
import { subscribeToStoredParts, subscribeToWork } from './postgres';
import { WakeTokenQueue, type RedisConnections } from './redis-queue';
import type { FleetDispatcher } from './events';
import { MS_PER_MINUTE } from '@/contract/units';

const MAX_REDIS_RETRY_MS = 1000;

/**
 * Dispatch over Redis or Valkey: BullMQ wakes one worker instead of all of them and keeps the timers, publish/subscribe
 * distributes changes, and commits need no NOTIFY. Notifications inside transactions (decisions, cancellations, pins,
 * saves, keyed requests) still come through PostgreSQL. While Redis is down, polls take over.
 */
export function createRedisDispatcher(url: string): FleetDispatcher {
  const retryStrategy = (tries: number) => Math.min(tries * 100, MAX_REDIS_RETRY_MS);
  const failFast = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy });
  const blocking = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  const listener = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  const all = [failFast, blocking, listener];

  let isAway = false;
  let isClosed = false;
  const onLost = (error: unknown): void => {
    if (isAway || isClosed) return;
    isAway = true;
    serviceLog().warn({ err: error }, 'Redis is unavailable; runs continue by polling');
  };
  for (const connection of all) connection.on('error', onLost);
  failFast.on('ready', () => {
    if (isAway) serviceLog().info('Redis is available again');
    isAway = false;
  });

  const connections: RedisConnections = { failFast, blocking, onLost };
  const runs = new WakeTokenQueue('runs', connections);
  const minutes = new WakeTokenQueue('minutes', connections);
  const bus = openRedisBus(failFast, listener, onLost);
  const publishIds = (topic: BusTopic, ids: string[]) => bus.publish(topic, JSON.stringify(ids));
  const subscribeToIds = (topic: BusTopic, onIds: (ids: string[]) => void) =>
    bus.subscribe(topic, (message) => {
      const ids = parseMessageIds(message);
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
    pointersMoved(messages) {
      for (const message of messages) bus.publish('pointers', message);
    },
    replyTextWritten(piece) {
      for (const message of encodeReplyText(piece)) bus.publish('answer_text', message);
    },
    async watchReplyTexts(onText) {
      const subscription = bus.subscribe('answer_text', (message) => {
        const piece = decodeReplyText(message);
        if (piece) onText(piece);
      });
      return { close: async () => subscription.close() };
    },
    async subscribeWorker(events) {
      const notifications = await subscribeToWork(events);
      const tokens = await runs.pollWhileHeld(events.pollOnce, events.waitForSlot);
      blocking.on('ready', events.onGap);
      return {
        async close() {
          blocking.off('ready', events.onGap);
          await Promise.all([notifications.close(), tokens.close()]);
        },
      };
    },
    async watch({ onChanged, onPresence, onWebhookCalls, onPointer, onStored, onGap }) {
      const subscriptions = [
        subscribeToIds('changed', onChanged),
        subscribeToIds('presence', onPresence),
        subscribeToIds('webhook_calls', onWebhookCalls),
        ...(onPointer ? [bus.subscribe('pointers', onPointer)] : []),
      ];
      const stored = onStored && (await subscribeToStoredParts(onStored, onGap));
      listener.on('ready', onGap);
      return {
        async close() {
          listener.off('ready', onGap);
          for (const each of subscriptions) each.close();
          await stored?.close();
        },
      };
    },
    async everyMinute(onMinute) {
      const setMinuteTimer = () =>
        minutes.offer(new Date((Math.floor(Date.now() / MS_PER_MINUTE) + 1) * MS_PER_MINUTE));
      // The process that received the last minute sets the timer for the next. All processes set it from time to time,
      // because Redis may lose it.
      const clock = setInterval(setMinuteTimer, MS_PER_MINUTE / 4);
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
