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
 * without clients have news, too.
 */
export function openBus(speaker: Redis, listener: Redis): Bus {
  const io = new Server<Nothing, Nothing, News>();
  io.adapter(createAdapter(speaker, listener));
  return {
    say(executionIds) {
      if (speaker.status === 'ready') io.serverSideEmit('changed', executionIds);
    },
    hear(onChanged) {
      io.on('changed', onChanged);
      return { close: () => void io.off('changed', onChanged) };
    },
    close: async () => io.of('/').adapter.close(),
  };
}
