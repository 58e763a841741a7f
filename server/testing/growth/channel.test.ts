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

const open = (path: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': nextAddress() };
    const socket = new WebSocket(`ws://127.0.0.1:${listener.port}${path}`, { headers });
    socket.once('open', () => resolve(socket)).once('error', reject);
  });

/** Resolves when the service answers a message, or closes the connection. */
const heard = (socket: WebSocket) =>
  new Promise((resolve) => socket.once('message', resolve).once('close', resolve).once('error', resolve));

async function exchange(socket: WebSocket, text: string): Promise<void> {
  if (socket.readyState !== socket.OPEN) throw new Error('the connection was closed before the message');
  const answer = heard(socket);
  socket.send(text);
  await answer;
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
    const socket = await open('/ws');
    if (isSignedIn) {
      socket.send(JSON.stringify({ type: 'auth', token: await newToken() }));
      // Messages are read in their order: the refusal of this one shows that the token was read.
      await exchange(socket, '{}');
    }
    return () => exchange(socket, text).finally(() => socket.terminate());
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
  const inputs = Object.entries(PACKETS).map(
    ([name, make]): HostileInput => ({
      name,
      largest: MAX_FRAME - 64,
      async prepare(size) {
        const packet = make(size);
        const socket = await open('/socket.io/?EIO=4&transport=websocket');
        if (!packet.startsWith('40')) {
          await heard(socket);
          await exchange(socket, `40${JSON.stringify({ token: await newToken() })}`);
        }
        // A packet of unknown content is ignored: the pong to a ping of the engine is not, but it comes too late.
        const work = async () => {
          const answer = heard(socket);
          socket.send(packet);
          socket.send(`42["subscribe",{}]`);
          await answer;
        };
        return () => work().finally(() => socket.terminate());
      },
    }),
  );
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
  expect(await findAllGrowth([posts('many packets', separated), posts('one packet', (size) => '4'.repeat(size))])).toEqual([]);
});
