import { randomBytes } from 'node:crypto';
import { Binary, BSON, Long, MinKey, ObjectId, Timestamp } from 'bson';
import { afterEach, expect, it } from 'vitest';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { startMongo, writeMongoReply } from '@/server/testing/servers/mongodb/mongodb';
import { listenRaw } from '@/server/testing/servers/raw';
import { MongoDocumentWriter } from './document-writer';
import { closeMongoPools, countMongoConnections, withMongoSession } from './mongodb';
import { readMongoCursor } from './operations';
import { MongoResultDocuments } from './result-documents';
import { encodeMongoMessage } from './wire';

useDatabase();

afterEach(closeMongoPools);

function find(port: number, { user = {}, signal = new AbortController().signal } = {}) {
  const credential = {
    id: generateId('cred'),
    workspaceId: generateId('ws'),
    name: 'x',
    type: 'mongodb',
    version: 1,
    config: { host: '127.0.0.1', port, tls: 'off', ...user },
  };
  const found = new MongoResultDocuments(async () => undefined);
  return withMongoSession(credential, { signal, redact: (text) => text, reserve: async () => undefined }, (ask) =>
    readMongoCursor({ database: 'a', collection: 'b' }, { find: 'b' }, { ask, found }),
  );
}

const header = (length: number, code = 2013, to = 1) => {
  const bytes = Buffer.alloc(16);
  bytes.writeInt32LE(length, 0);
  bytes.writeInt32LE(to, 8);
  bytes.writeInt32LE(code, 12);
  return bytes;
};
const message = (body: Buffer) => Buffer.concat([header(21 + body.length), Buffer.alloc(5), body]);

it.each([
  ['random bytes', randomBytes(5000)],
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a message of a gigabyte', header(0x40000000)],
  ['a message of a negative length', header(-7)],
  ['a message without a document', header(21)],
  ['another operation', header(100, 2012)],
  ['the reply to another request', header(100, 2013, 99)],
  ['a document that is longer than its message', message(Buffer.from([100, 0, 0, 0, 0]))],
  ['a document that is garbage', message(Buffer.from([9, 0, 0, 0, 0x77, 1, 2, 3, 0]))],
  ['two replies', Buffer.concat([writeMongoReply({ ok: 1 }, 1), writeMongoReply({ ok: 1 }, 1)])],
])('a server that answers with %s fails the connection only', async (_, bytes) => {
  const port = await listenRaw((socket) => socket.once('data', () => socket.write(bytes)));
  await expect(find(port)).rejects.toMatchObject({ code: expect.stringMatching(/^(?:BAD_RESPONSE|TOO_LARGE)$/) });
  await until(async () => countMongoConnections().open === 0, 'the connection to be closed');
});

it('a server that speaks first, or closes at once, fails the connection', async () => {
  await expect(find(await listenRaw((socket) => socket.write(writeMongoReply({ ok: 1 }, 99))))).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
  });
  await expect(find(await listenRaw((socket) => socket.end()))).rejects.toMatchObject({
    code: expect.stringMatching(/^CONNECTION_/),
  });
});

/** A document in a document, so many levels deep. */
function nestDocuments(levels: number): Buffer {
  const whole = Buffer.alloc(levels * 8 + 5);
  for (let index = 0; index < levels; index += 1) {
    whole.writeInt32LE(whole.length - index * 8, index * 7);
    whole.write('\x03a\0', index * 7 + 4, 'latin1');
  }
  whole.writeInt32LE(5, levels * 7);
  return whole;
}

it.each([
  ['no cursor', () => ({}), 'BAD_RESPONSE'],
  ['a cursor that is none', () => ({ cursor: { id: 'x', firstBatch: [] } }), 'BAD_RESPONSE'],
  ['a batch that is none', () => ({ cursor: { id: Long.ZERO, firstBatch: 7 } }), 'BAD_RESPONSE'],
  ['documents that are none', () => ({ cursor: { id: Long.ZERO, firstBatch: [7] } }), 'BAD_RESPONSE'],
  ['a cursor with a fraction as its id', () => ({ cursor: { id: 1e-7, firstBatch: [] } }), 'BAD_RESPONSE'],
  ['much that was not asked for', () => ({ cursor: { id: 0, firstBatch: [] }, a: 'x'.repeat(1.1e6) }), 'BAD_RESPONSE'],
  ['an old protocol', () => ({ maxWireVersion: 3 }), 'CONNECTION_FAILED'],
])('a server that answers with %s fails the command', async (_, answer, code) => {
  const isGreeting = code === 'CONNECTION_FAILED';
  const party = await startMongo({
    answer: (command) => ('find' in command || (isGreeting && 'isMaster' in command) ? answer() : undefined),
  });
  await expect(find(party.port)).rejects.toMatchObject({ code });
  await party.close();
});

it('documents that are nested without end, or are garbage, fail the command', async () => {
  const write = (bytes: Buffer) => new MongoDocumentWriter(bytes, 100_000).write();
  expect(await write(nestDocuments(2))).toBe('{"a":{"a":{}}}');
  for (const levels of [1000, 200_000])
    await expect(write(nestDocuments(levels))).rejects.toMatchObject({ code: 'OUTPUT_TOO_DEEP' });
  await expect(write(randomBytes(50))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});

it('a document is given up where its text has become too long', async () => {
  const write = (document: object) => new MongoDocumentWriter(Buffer.from(BSON.serialize(document)), 1000).write();
  expect(await write({ a: '\u0001'.repeat(160) })).toHaveLength(968);
  for (const document of [
    { a: '\u0001'.repeat(170) },
    { a: 'x'.repeat(200_000) },
    { a: Array.from({ length: 501 }, () => 1) },
  ])
    await expect(write(document)).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

it('a regular expression with more options than there are is not read', async () => {
  const write = (options: string) => {
    const bytes = Buffer.from(`\0\0\0\0\x0ba\0x\0${options}\0\0`, 'latin1');
    bytes.writeInt32LE(bytes.length, 0);
    return new MongoDocumentWriter(bytes, 1000).write();
  };
  expect(JSON.parse(await write('mi'))).toEqual({ a: { $regularExpression: { pattern: 'x', options: 'im' } } });
  await expect(write('i'.repeat(100))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});

it('what is larger than a message can be is not sent', () => {
  for (const value of [Array.from({ length: 1_500_000 }, () => 1), 'x'.repeat(17_000_000)])
    expect(() => encodeMongoMessage(1, { value })).toThrow('What is sent is larger than 16 MiB.');
});

it.each(['isMaster', 'saslStart'])('a large answer to %s is refused before it is read', async (name) => {
  const party = await startMongo({
    answer: (command) => (name in command ? { payload: 'x'.repeat(300_000) } : undefined),
  });
  await expect(find(party.port, { user: { username: 'ada', password: 'p' } })).rejects.toMatchObject({
    code: 'TOO_LARGE',
  });
  await party.close();
});

it('each byte of a document may be wrong', async () => {
  const whole = {
    a: 1.5,
    b: ['x', null, true],
    c: new ObjectId(),
    d: new Date(5),
    e: Long.fromString('9007199254740993'),
  };
  const more = {
    f: new Binary(Buffer.from('hi')),
    g: /x/i,
    h: new Timestamp({ t: 1, i: 2 }),
    i: new MinKey(),
    j: { k: {} },
  };
  const bytes = Buffer.from(BSON.serialize({ ...whole, ...more }));
  const code = { code: 'BAD_RESPONSE' };
  for (let at = 0; at < bytes.length; at += 1)
    for (const wrong of [0, 1, 2, 5, 15, 127, 255]) {
      const changed = Buffer.from(bytes);
      changed[at] = wrong;
      const text = await new MongoDocumentWriter(changed, 100_000).write().catch((error: unknown) => error);
      if (typeof text === 'string') expect(() => JSON.parse(text) as unknown).not.toThrow();
      else expect(text).toMatchObject(code);
    }
});

it('a cursor that never ends is ended by the limit of documents, or of time', async () => {
  let asked = 0;
  const endless = (nextBatch: object[]) =>
    startMongo({
      answer(command) {
        if (!('find' in command || 'getMore' in command)) return undefined;
        asked += 1;
        return { cursor: { id: Long.fromNumber(7), firstBatch: nextBatch, nextBatch } };
      },
    });
  const full = await endless(Array.from({ length: 500 }, (_, _id) => ({ _id })));
  await expect(find(full.port)).rejects.toMatchObject({ code: 'TOO_MANY_ROWS' });
  expect(full.commands).toEqual([expect.objectContaining({ killCursors: 'b' })]);
  const empty = await endless([]);
  const stopped = new AbortController();
  asked = 0;
  const failure = find(empty.port, { signal: stopped.signal }).catch((error: unknown) => error);
  await until(async () => asked > 20, 'the cursor to be asked again and again');
  stopped.abort();
  expect(await failure).toMatchObject({ code: 'ABORTED' });
  await Promise.all([full.close(), empty.close()]);
});

it.each([
  ['too many rounds of the hash', { payload: (nonce: string) => `r=${nonce}x,s=AAAA,i=900000000` }],
  ['few rounds of the hash', { payload: (nonce: string) => `r=${nonce}x,s=AAAA,i=1` }],
  ['another nonce', { payload: () => 'r=other,s=AAAA,i=4096' }],
  ['nothing', { payload: () => '' }],
])('a sign-in with %s is given up', async (_, { payload }) => {
  const party = await startMongo({
    answer: (command) => {
      if (!('saslStart' in command)) return undefined;
      const sent = Buffer.from((command['payload'] as Binary).value()).toString();
      return { conversationId: 1, done: false, payload: new Binary(Buffer.from(payload(sent.split('r=')[1] ?? ''))) };
    },
  });
  const user = { username: 'ada', password: 'p' };
  await expect(find(party.port, { user })).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  await party.close();
});

it('a server that does not know the password itself is not believed', async () => {
  const party = await startMongo({
    user: { username: 'ada', password: 'p' },
    answer: (command) =>
      'saslContinue' in command
        ? { conversationId: 1, done: true, payload: new Binary(Buffer.from('v=AAAA')) }
        : undefined,
  });
  await expect(find(party.port, { user: { username: 'ada', password: 'p' } })).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
  });
  await party.close();
});
