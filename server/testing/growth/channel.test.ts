import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '../factories';
import { findAllGrowth, type HostileInput } from './growth';
import { nextAddress, prepareRequest, useListener } from './requests';
import { JSONS, repeated, type Family } from './texts';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;

/** Somebody new: the bytes of one person's messages are limited. */
const newToken = async () => (await buildUser()).token;

/** A connection whose messages wait until they are asked for. */
interface Peer {
  socket: WebSocket;
  /** Resolves with the next message, or when the connection is closed. */
  next(): Promise<void>;
}

function peerOf(socket: WebSocket): Peer {
  let unread = 0;
  let isClosed = false;
  let wake = () => undefined as void;
  socket.on('message', () => {
    unread += 1;
    wake();
  });
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isClosed = true;
      wake();
    });
  const next = async () => {
    while (unread === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
    unread -= 1;
  };
  return { socket, next };
}

const open = (path: string): Promise<Peer> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': nextAddress() };
    const peer = peerOf(new WebSocket(`ws://127.0.0.1:${listener.port}${path}`, { headers }));
    peer.socket.once('open', () => resolve(peer)).once('error', reject);
  });

/** Sends messages, and resolves when the service answers or closes the connection. */
async function exchange({ socket, next }: Peer, ...texts: string[]): Promise<void> {
  if (socket.readyState !== socket.OPEN) throw new Error('the connection was closed before the message');
  for (const text of texts) socket.send(text);
  await next();
}

/** A frame above this size is refused unread; one above 1 MiB ends its connection. */
const MAX_FRAME = 65_536;
const MAX_PAYLOAD = 1_048_576 - 1024;

/** One message of a client that is signed in, or not. */
const message = (name: string, make: Family, isSignedIn: boolean, largest = MAX_FRAME): HostileInput => ({
  name,
  largest,
  async prepare(size) {
    const text = make(size);
    const peer = await open('/ws');
    // Messages are read in their order: the refusal of the second one shows that the token was read.
    if (isSignedIn) await exchange(peer, JSON.stringify({ type: 'auth', token: await newToken() }), '{}');
    return () => exchange(peer, text).finally(() => peer.socket.terminate());
  },
});

const MESSAGES: Record<string, Family> = {
  ...JSONS,
  'a long token': (size) => JSON.stringify({ type: 'auth', token: 'a.'.repeat(size / 2) }),
  'a long id': (size) => JSON.stringify({ type: 'subscribe', channel: 'execution', executionId: 'e'.repeat(size) }),
};

test.each([true, false])('messages over /ws (signed in: %s)', { timeout: MINUTES }, async (isSignedIn) => {
  const inputs = Object.entries(MESSAGES).flatMap(([name, make]) => [
    message(name, make, isSignedIn),
    message(`${name}, too large`, make, isSignedIn, MAX_PAYLOAD),
  ]);
  expect(await findAllGrowth(inputs)).toEqual([]);
});

/** Packets of Socket.IO, whose parser looks for types, attachments, namespaces and ids before the JSON. */
const PACKETS: Record<string, Family> = {
  ...Object.fromEntries(
    Object.entries(JSONS).map(([name, make]): [string, Family] => [name, (size) => `42["subscribe",${make(size)}]`]),
  ),
  'many arguments': (size) => `42["subscribe"${repeated(size, ',1')}]`,
  'a long namespace': (size) => `40/${'a'.repeat(size)},`,
  'a long id of an answer': (size) => `42${'1'.repeat(size)}[]`,
  'many attachments': (size) => `45${'1'.repeat(size)}-["a"]`,
  'placeholders of attachments': (size) => `451-["a"${repeated(size, ',{"_placeholder":true,"num":0}')}]`,
  'a handshake of many fields': (size) => `40${JSONS['many fields']!(size)}`,
  'a long token': (size) => `40{"token":"${'a.'.repeat(size / 2)}"}`,
};

test('packets over Socket.IO', { timeout: MINUTES }, async () => {
  const inputs = Object.entries(PACKETS).map(([name, make]): HostileInput => ({
    name,
    largest: MAX_FRAME - 64,
    async prepare(size) {
      const packet = make(size);
      const peer = await open('/socket.io/?EIO=4&transport=websocket');
      // The engine says something first.
      await peer.next();
      if (!packet.startsWith('40')) await exchange(peer, `40${JSON.stringify({ token: await newToken() })}`);
      // A packet may be ignored. The second one is refused.
      return () => exchange(peer, packet, '42["subscribe",{}]').finally(() => peer.socket.terminate());
    },
  }));
  expect(await findAllGrowth(inputs)).toEqual([]);
});

test('posts and handshakes of the engine below Socket.IO', { timeout: MINUTES }, async () => {
  const posts = (name: string, make: Family): HostileInput => ({
    name,
    largest: MAX_FRAME,
    prepare: (size) =>
      prepareRequest(listener, {
        method: 'POST',
        target: '/socket.io/?EIO=4&transport=polling&sid=unknown',
        headers: { 'content-type': 'text/plain' },
        body: make(size),
      }),
  });
  const separated = (size: number) => repeated(size, '2\x1e');
  expect(
    await findAllGrowth([posts('many packets', separated), posts('one packet', (size) => '4'.repeat(size))]),
  ).toEqual([]);
});
