import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import { Server } from 'socket.io';

type Nothing = Record<string, never>;
interface News {
  changed(executionIds: string[]): void;
}

/** What one process says, every other one hears. */
export interface Bus {
  say(executionIds: string[]): void;
  hear(onChanged: (executionIds: string[]) => void): { close(): void };
  close(): Promise<void>;
}

/**
 * News between processes over Socket.IO's Redis adapter: a Socket.IO server that serves no clients, for processes
 * without clients have news, too. `onLost` hears what could not be said.
 */
export function openBus(speaker: Redis, listener: Redis, onLost: (error: unknown) => void): Bus {
  const io = new Server<Nothing, Nothing, News>();
  // The adapter lets go of the promise; a rejection that nobody handles would end the process.
  const publish = (channel: string, message: string | Buffer) => speaker.publish(channel, message).catch(onLost);
  io.adapter(createAdapter({ on: speaker.on.bind(speaker), off: speaker.off.bind(speaker), publish }, listener));
  return {
    say(executionIds) {
      if (speaker.status === 'ready') io.serverSideEmit('changed', executionIds);
    },
    hear(onChanged) {
      io.on('changed', onChanged);
      return { close: () => void io.off('changed', onChanged) };
    },
    async close() {
      if (listener.status === 'ready') await io.of('/').adapter.close();
    },
  };
}
