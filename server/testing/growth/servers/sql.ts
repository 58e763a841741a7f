import { runSqlQueries } from '@/server/network/sql/sql';
import { neverAborted, startRawServer, type HostileServer } from '../hostile-server';
import { serverCredential } from './credential';
import { BYTES_PER_MIB } from '@/contract/units';

/** A message of PostgreSQL: its code, its length and its content. */
function message(code: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** So many bytes of messages. */
const many = (one: Buffer, bytes: number): Buffer =>
  Buffer.alloc(Math.max(1, Math.ceil(bytes / one.length)) * one.length, one);

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const text = (value: string) => Buffer.from(`${value}\0`);
const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const DONE = message('C', text('SET'));
const NOTICE = message('N', Buffer.from('SN\0Mx\0\0'));
const COLUMN = Buffer.concat([text('x'), Buffer.alloc(18)]);
const columns = (count: number) => message('T', Buffer.concat([int16(count), many(COLUMN, count * COLUMN.length)]));
const row = (count: number) =>
  message('D', Buffer.concat([int16(count), many(Buffer.from([0, 0, 0, 1, 49]), count * 5)]));

/** The answer to a statement, between what the driver expects: the parts of a prepared statement. */
const answer = (...parts: Buffer[]) =>
  Buffer.concat([
    message('1', Buffer.alloc(0)),
    message('2', Buffer.alloc(0)),
    ...parts,
    message('C', text('SELECT 1')),
    READY,
  ]);

interface Script {
  login?: (size: number) => Buffer;
  rows?: (size: number) => Buffer;
}

/** A PostgreSQL server that a node asks for rows. */
const postgres = (largest: number, { login, rows }: Script): HostileServer => ({
  largest,
  async start(size) {
    const greeting = Buffer.concat([AUTHENTICATED, login?.(size) ?? Buffer.alloc(0), READY]);
    const result = rows?.(size) ?? answer(columns(1), row(1));
    const { port, close } = await startRawServer((socket) => {
      let isBegun = false;
      socket.on('data', (chunk) => {
        if (!isBegun) socket.write(greeting);
        // The startup message, a simple statement, or the parts of a prepared one.
        else if (chunk[0] === 81) socket.write(many(Buffer.concat([DONE, READY]), 1));
        else if (chunk.includes('SELECT')) socket.write(result);
        else socket.write(READY);
        isBegun = true;
      });
    });
    const config = { host: '127.0.0.1', port, database: 'd', username: 'u', password: 'secret', tls: 'off' };
    return {
      credential: { type: 'postgres', config },
      call: () => ask('postgres', config),
      close,
    };
  },
});

/** A packet of MySQL. */
function packet(content: Buffer, sequence: number): Buffer {
  return Buffer.concat([
    Buffer.from([content.length & 255, (content.length >> 8) & 255, content.length >> 16, sequence & 255]),
    content,
  ]);
}

const HANDSHAKE = packet(
  Buffer.concat([
    Buffer.from('\x0a8.0.0\0', 'latin1'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([0xff, 0xf7, 33, 2, 0, 0xff, 0xc1, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ]),
  0,
);
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

/** A MySQL server that sends packets in answer to the login, or to the first command. */
const mysql = (largest: number, { login, rows }: Script): HostileServer => ({
  largest,
  async start(size) {
    const welcome = login?.(size) ?? packet(OK, 2);
    const result = rows?.(size) ?? packet(OK, 1);
    const { port, close } = await startRawServer((socket) => {
      let received = 0;
      socket.write(HANDSHAKE);
      socket.on('data', () => void socket.write((received += 1) === 1 ? welcome : result));
    });
    const config = { host: '127.0.0.1', port, database: 'd', username: 'u', password: 'secret', tls: 'off' };
    return { credential: { type: 'mysql', config }, call: () => ask('mysql', config), close };
  },
});

const ask = (type: 'postgres' | 'mysql', config: Record<string, unknown>) =>
  runSqlQueries(serverCredential(type, config), {
    queries: [{ statement: 'SELECT 1', parameters: {} }],
    mode: 'rows',
    isTransaction: false,
    timeoutMs: 5000,
    signal: neverAborted(),
    redact: (words) => words,
    context: { reserve: async () => {}, parseLarge: async (json) => JSON.parse(json) as unknown },
  });

/** Definitions of columns, each with its number in the sequence. */
function definitions(count: number): Buffer {
  const names = ['def', '', '', '', 'x', ''].map((name) =>
    Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]),
  );
  const column = Buffer.concat([...names, Buffer.from([12, 33, 0, 1, 0, 0, 0, 253, 0, 0, 0, 0, 0])]);
  const head = Buffer.from([0xfc, count & 255, count >> 8]);
  const end = (sequence: number) => packet(Buffer.from([0xfe, 0, 0, 2, 0]), sequence);
  const columns = Array.from({ length: count }, (_, at) => packet(column, at + 2));
  return Buffer.concat([packet(head, 1), ...columns, end(count + 2), end(count + 3)]);
}

export const sqlServers: Record<string, HostileServer> = {
  'postgres: notices before the login': postgres(BYTES_PER_MIB, { login: (size) => many(NOTICE, size) }),
  'postgres: parameters of the server': postgres(BYTES_PER_MIB, {
    login: (size) => many(message('S', text('a\0b')), size),
  }),
  'postgres: notices among rows': postgres(4 * BYTES_PER_MIB, {
    rows: (size) => answer(columns(1), many(NOTICE, size)),
  }),
  'postgres: columns (number)': postgres(65_535, { rows: (size) => answer(columns(size), row(size)) }),
  'postgres: descriptions of rows': postgres(4 * BYTES_PER_MIB, { rows: (size) => answer(many(columns(1), size)) }),
  'postgres: small rows': postgres(4 * BYTES_PER_MIB, { rows: (size) => answer(columns(1), many(row(1), size)) }),
  'postgres: completed commands': postgres(4 * BYTES_PER_MIB, { rows: (size) => answer(many(DONE, size)) }),
  'postgres: signs of being ready': postgres(4 * BYTES_PER_MIB, { rows: (size) => answer(many(READY, size)) }),
  'postgres: an error of many fields': postgres(BYTES_PER_MIB, {
    rows: (size) => message('E', Buffer.concat([many(Buffer.from('Mx\0'), size), Buffer.alloc(1)])),
  }),
  'mysql: columns (number)': mysql(2000, { rows: definitions }),
  'mysql: small packets': mysql(BYTES_PER_MIB, { rows: (size) => many(packet(OK, 1), size) }),
  'mysql: empty packets': mysql(BYTES_PER_MIB, { rows: (size) => many(packet(Buffer.alloc(0), 1), size) }),
  'mysql: a long error': mysql(BYTES_PER_MIB, {
    rows: (size) => packet(Buffer.concat([Buffer.from([0xff, 0x15, 4]), Buffer.alloc(size, 'x')]), 1),
  }),
};
