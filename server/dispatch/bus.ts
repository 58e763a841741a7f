import { createAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import { Server } from 'socket.io';

type Nothing = Record<string, never>;
interface News {
  changed(executionIds: string[]): void;
  visited(workflowIds: string[]): void;
}

/** What one process says, every other one hears. */
export interface Bus {
  say(what: keyof News, ids: string[]): void;
  hear(what: keyof News, onNews: (ids: string[]) => void): { close(): void };
  close(): Promise<void>;
}

/**
 * News between processes over Socket.IO's Redis adapter: a Socket.IO server that serves no clients, for processes
 * without clients have news, too.
 */
export function openBus(speaker: Redis, listener: Redis): Bus {
  const io = new Server<Nothing, Nothing, News>();
  io.adapter(createAdapter(speaker, listener));
  return {
    say(what, ids) {
      if (speaker.status === 'ready') io.serverSideEmit(what, ids);
    },
    hear(what, onNews) {
      io.on(what, onNews);
      return { close: () => void io.off(what, onNews) };
    },
    close: async () => io.of('/').adapter.close(),
  };
}
