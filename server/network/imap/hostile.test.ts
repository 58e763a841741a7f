import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setRuntime, type Runtime } from '@/server/platform/runtime';
import { imapServers } from '@/server/testing/growth/servers/imap';
import { listenRaw } from '@/server/testing/servers/raw';
import type { MailCursor } from './cursor';
import { readMail } from './read';
import { checkImapLogin, type MailCredential } from './session';

beforeAll(() => setRuntime({ env: { egressAllowPrivate: true } } as unknown as Runtime));
afterAll(() => setRuntime(undefined));

const credentialOf = (port: number, security = 'none'): MailCredential => ({
  workspaceId: 'ws_test',
  name: 'Test',
  type: 'imap',
  config: { host: '127.0.0.1', port, security, username: 'ada', password: 'secret' },
});
const signal = new AbortController().signal;

it.each(Object.entries(imapServers))('%s: more than is needed is refused', async (_, server) => {
  const { call, close } = await server.start(4_000_000);
  await expect(call()).rejects.toMatchObject({ code: 'BAD_RESPONSE', retriable: false });
  await close();
});

/** A mail server that answers each command with lines of a test, besides the usual ones. */
function imapServer(replies: Record<string, (words: string[], socket: Socket) => string>): Promise<number> {
  return listenRaw((socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1] Ready\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const [tag = '', ...words] = line.split(' ');
        const command = words[0] === 'UID' ? words[1] : words[0];
        socket.write(`${replies[command ?? '']?.(words, socket) ?? ''}${tag} OK Done\r\n`);
      }
    });
  });
}

it('a mailbox with many later messages is searched in windows, until there are enough', async () => {
  const asked: string[] = [];
  const port = await imapServer({
    EXAMINE: () => '* 500000 EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 500000]\r\n',
    SEARCH: (words) => {
      asked.push(words.at(-1) ?? '');
      return words.at(-1)?.startsWith('20011:') ? '* SEARCH 50002 50001 50003\r\n' : '* SEARCH\r\n';
    },
    FETCH: (words) => `* 1 FETCH (UID ${words[2]} RFC822.SIZE 2 BODY[]<0> {2}\r\nhi)\r\n`,
  });
  const query = { mailbox: 'INBOX', unseen: false, from: undefined, subject: undefined, limit: 2, maxBytes: 1000 };
  const cursor: MailCursor = { mailbox: 'INBOX', uidValidity: '1', uid: 10, receivedAt: null, pending: [] };
  const taken: number[] = [];
  const take = async ({ uid }: { uid: number }) => taken.push(uid) > 0;
  const read = (limit: number) =>
    readMail(credentialOf(port), { ...query, limit, afterwards: { kind: 'nothing' } }, cursor, {
      signal,
      timeMs: 60_000,
      take,
      reserve: async () => {},
      isShown: true,
    });
  expect(await read(2)).toMatchObject({ uid: 50_002 });
  expect(taken).toEqual([50_001, 50_002]);
  expect(asked).toEqual(['11:20010', '20011:60010']);
});

it('what a server sends between the answer to STARTTLS and the handshake is refused', async () => {
  const port = await imapServer({
    STARTTLS: (_, socket) => {
      setImmediate(() => socket.write(`* OK injected\r\n`.repeat(1000)));
      return '';
    },
    CAPABILITY: () => '* CAPABILITY IMAP4rev1 STARTTLS\r\n',
  });
  await expect(checkImapLogin(credentialOf(port, 'starttls'), signal)).rejects.toMatchObject({ code: 'TLS' });
});
