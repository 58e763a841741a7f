import { parseLargeBody } from '@/server/evaluation/evaluator/evaluation';
import { ReplyJsonWriter } from '@/server/network/redis/reply-json';
import { withRedisSession } from '@/server/network/redis/redis';
import { GROWTH_WORKSPACE, neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';
import { serverCredential } from './credential';
import { BYTES_PER_MIB } from '@/contract/units';

/** A Redis server that answers a command. */
const redis = (largest: number, reply: (size: number) => string): HostileServer => ({
  largest,
  async start(size) {
    const bytes = Buffer.from(reply(size));
    const { port, close } = await startRawServer((socket) => socket.on('data', () => void socket.write(bytes)));
    const config = { host: '127.0.0.1', port, database: 0, tls: 'off' };
    const use = { signal: neverAborted(), redact: (text: string) => text, reserve: async () => undefined };
    const readLarge = async (bytes: Buffer) =>
      parseLargeBody(bytes, 'application/json', 'auto', { workspaceId: GROWTH_WORKSPACE, signal: use.signal });
    const json = () => new ReplyJsonWriter('json', readLarge);
    return {
      credential: { type: 'redis', config },
      call: () =>
        withRedisSession(serverCredential('redis', config), use, async (ask) => json().toJson(await ask('GET', 'a'))),
      close,
    };
  },
});

const list = (item: string, count: number) => `*${count}\r\n${item.repeat(count)}`;

export const redisServers: Record<string, HostileServer> = {
  'redis: a list of numbers (items)': redis(49_000, (size) => list(':1\r\n', size)),
  'redis: a list of empty texts (items)': redis(49_000, (size) => list('$0\r\n\r\n', size)),
  'redis: a list of errors (items)': redis(49_000, (size) => list('-E\r\n', size)),
  'redis: lists within a list (items)': redis(24_000, (size) => list('*1\r\n:1\r\n', size)),
  'redis: JSON texts (items)': redis(49_000, (size) => list('$2\r\n[]\r\n', size)),
  'redis: a long text': redis(9 * BYTES_PER_MIB, (size) => `$${size}\r\n${repeated('x', size).slice(0, size)}\r\n`),
  'redis: a long line': redis(60 * 1024, (size) => `+${repeated('x', size)}\r\n`),
  'redis: replies that nobody has asked for': redis(BYTES_PER_MIB, (size) => repeated('+OK\r\n', size)),
};
