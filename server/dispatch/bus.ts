import type { Redis } from 'ioredis';
import { z } from 'zod';

const Ids = z.array(z.string());

/** What processes tell each other: executions that changed, workflows whose visitors changed, or whose webhooks were called; texts of answers. */
export type Topic = 'changed' | 'presence' | 'webhook_calls' | 'answer_text';

/** Messages between processes. Every subscriber receives each message, the publishing process included. */
export interface Bus {
  publish(topic: Topic, message: string): void;
  subscribe(topic: Topic, onMessage: (message: string) => void): { close(): void };
}

const channelOf = (topic: Topic) => `weft:${topic}`;

/** Ids in a message; any client with access to Redis can publish, so invalid messages are ignored. */
export function idsIn(message: string): string[] {
  try {
    return Ids.parse(JSON.parse(message));
  } catch {
    return [];
  }
}

/**
 * Publish/subscribe of Redis. `subscriber` is a connection of its own, as Redis demands; it subscribes again by itself
 * after a lost connection. What is published while Redis is away is lost: polls find it.
 */
export function openBus(publisher: Redis, subscriber: Redis, onLost: (error: unknown) => void): Bus {
  const listeners: Record<Topic, Set<(message: string) => void>> = {
    changed: new Set(),
    presence: new Set(),
    webhook_calls: new Set(),
    answer_text: new Set(),
  };
  const topics = new Map(Object.keys(listeners).map((topic) => [channelOf(topic as Topic), topic as Topic]));
  subscriber.on('message', (channel, message) => {
    const topic = topics.get(channel);
    if (topic) for (const listener of listeners[topic]) listener(message);
  });
  return {
    publish(topic, message) {
      if (publisher.status === 'ready') publisher.publish(channelOf(topic), message).catch(onLost);
    },
    subscribe(topic, onMessage) {
      if (listeners[topic].size === 0) subscriber.subscribe(channelOf(topic)).catch(onLost);
      listeners[topic].add(onMessage);
      return { close: () => void listeners[topic].delete(onMessage) };
    },
  };
}
