import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { listenRaw } from '@/server/testing/servers/raw';
import { ask, databaseCredential } from '@/server/testing/servers/sql';
import { until } from '@/server/testing/runs';
import { closeSqlPools, countSqlConnections } from './sql';

useDatabase();

afterEach(closeSqlPools);

const credential = (type: 'postgres' | 'mysql', port: number) =>
  databaseCredential(type, {
    host: '127.0.0.1',
    port,
    database: 'd',
    username: 'u',
    password: 'secret-password',
    tls: 'off',
  });

/** A message of PostgreSQL: its code, its length and its content. */
const message = (code: string, content: Buffer, length = content.length + 4) => {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(length, 1);
  return Buffer.concat([head, content]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
/** A packet of MySQL. */
const packet = (content: Buffer, sequence = 0) =>
  Buffer.concat([Buffer.from([content.length & 255, content.length >> 8, 0, sequence]), content]);

it.each([
  ['postgres', 'random bytes', randomBytes(5000)],
  ['postgres', 'a message that is shorter than its fields', message('R', Buffer.alloc(1))],
  ['postgres', 'a negative length', message('R', Buffer.alloc(8), -1)],
  ['postgres', 'rows without a request', Buffer.concat([authenticated, message('D', Buffer.from([0, 9, 0, 0, 0, 1]))])],
  ['postgres', 'a row without a statement', Buffer.concat([authenticated, ready, message('D', Buffer.alloc(2))])],
  ['postgres', 'a large number of SCRAM rounds', message('R', Buffer.from('\0\0\0\x0bi=2147483647'))],
  ['postgres', 'an error whose text is binary', message('E', Buffer.from('SFATAL\0C28000\0M\0\0'))],
  ['mysql', 'random bytes', randomBytes(5000)],
  ['mysql', 'an empty packet', packet(Buffer.alloc(0))],
  ['mysql', 'a handshake that is cut off', packet(Buffer.from('\x0a11.0'))],
  ['mysql', 'packets out of order', Buffer.concat([packet(Buffer.from('\x0a11.0'), 7), packet(Buffer.alloc(3), 200)])],
  ['mysql', 'an error with binary text', packet(Buffer.from([0xff, 0x15, 0x04, 0x23, 0, 0xff, 0xfe]))],
] as const)('%s: a server that sends %s fails the statement only', async (type, _, bytes) => {
  const port = await listenRaw((socket) => socket.end(bytes));
  await expect(ask(credential(type, port), 'SELECT 1')).rejects.toHaveProperty('code');
  await until(async () => countSqlConnections().open === 0, 'the connection to be closed');
});

it.each(['postgres', 'mysql'] as const)('%s: a server that sends without end is cut off', async (type) => {
  let isCut = false;
  const port = await listenRaw((socket) => {
    const header = type === 'postgres' ? message('R', Buffer.alloc(0), 2 ** 30) : Buffer.from([255, 255, 255, 0]);
    socket.write(header);
    const more = () => {
      while (socket.writable && socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', more);
    socket.on('close', () => (isCut = true));
    more();
  });
  await expect(ask(credential(type, port), 'SELECT 1')).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await until(async () => isCut, 'the connection to end');
});
