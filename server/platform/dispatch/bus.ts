import type { Redis } from 'ioredis';
import { z } from 'zod';

const messageIdsSchema = z.array(z.string());

/**
 * The subjects of messages between processes: changed executions, workflows with other visitors or webhook calls,
 * pointers on canvases, and texts of replies.
 */
export type BusTopic = 'changed' | 'presence' | 'webhook_calls' | 'pointers' | 'answer_text';

/** Messages between processes. Every subscriber receives each message, the publishing process included. */
export interface MessageBus {
  publish(topic: BusTopic, message: string): void;
  subscribe(topic: BusTopic, onMessage: (message: string) => void): { close(): void };
}

const redisChannel = (topic: BusTopic) => `weft:${topic}`;

/** Ids in a message; any client with access to Redis can publish, so invalid messages are ignored. */
export function parseMessageIds(message: string): string[] {
  try {
    return messageIdsSchema.parse(JSON.parse(message));
  } catch {
    return [];
  }
}

/**
 * Publish/subscribe of Redis. `subscriber` is a connection of its own, as Redis demands; it subscribes again by itself
 * after a lost connection. What is published while Redis is away is lost: polls find it.
 */
export function openRedisBus(publisher: Redis, subscriber: Redis, onLost: (error: unknown) => void): MessageBus {
  const listeners: Record<BusTopic, Set<(message: string) => void>> = {
    changed: new Set(),
    presence: new Set(),
    webhook_calls: new Set(),
    pointers: new Set(),
    answer_text: new Set(),
  };
  const topics = new Map(Object.keys(listeners).map((topic) => [redisChannel(topic as BusTopic), topic as BusTopic]));
  subscriber.on('message', (channel, message) => {
    const topic = topics.get(channel);
    if (topic) for (const listener of listeners[topic]) listener(message);
  });
  return {
    publish(topic, message) {
      if (publisher.status === 'ready') publisher.publish(redisChannel(topic), message).catch(onLost);
    },
    subscribe(topic, onMessage) {
      if (listeners[topic].size === 0) subscriber.subscribe(redisChannel(topic)).catch(onLost);
      listeners[topic].add(onMessage);
      return { close: () => void listeners[topic].delete(onMessage) };
    },
  };
}
