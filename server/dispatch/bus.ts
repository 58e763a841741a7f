import { createAdapter } from '@socket.io/redis-adapter';
import { Emitter } from '@socket.io/redis-emitter';
import type { Redis } from 'ioredis';
import { Server } from 'socket.io';

type Nothing = Record<string, never>;
interface News {
  changed(executionIds: string[]): void;
  visited(workflowIds: string[]): void;
}

/** What any process says, everyone hears that listens: the one that said it, too. */
export interface Bus {
  say(what: keyof News, ids: string[]): void;
  hear(what: keyof News, onNews: (ids: string[]) => void): { close(): void };
  close(): Promise<void>;
}

/**
 * News between processes over Socket.IO's Redis adapter: a Socket.IO server that serves no clients, for processes
 * without clients have news, too. Who only has news to tell, as workers do, subscribes to nothing.
 */
export function openBus(speaker: Redis, listener: Redis): Bus {
  const emitter = new Emitter(speaker);
  let io: Server<Nothing, Nothing, News> | undefined;
  return {
    say(what, ids) {
      if (speaker.status === 'ready') emitter.serverSideEmit(what, ids);
    },
    hear(what, onNews) {
      io ??= new Server<Nothing, Nothing, News>().adapter(createAdapter(speaker, listener));
      const heard = io.on(what, onNews);
      return { close: () => void heard.off(what, onNews) };
    },
    close: async () => io?.of('/').adapter.close(),
  };
}
