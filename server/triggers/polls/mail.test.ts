import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CreatePollRequest, type PollTrigger, type TestPollResponse } from '@/contract/triggers/poll';
import { prismaClient } from '@/server/platform/db/client';
import { MailCursor } from '@/server/network/imap/cursor';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';
import { mailCredential, mailPoll, mailTrigger } from '@/server/testing/mail';
import { startDovecot, type MailServer } from '@/server/testing/servers/dovecot';
import { polledWorkflow } from '@/server/testing/polls';
import { executeDuePolls } from './poller';

useDatabase();

let server: MailServer;
beforeAll(async () => {
  server = await startDovecot();
});
afterAll(() => server.remove());
afterEach(async () => {
  getRuntime().env.egressAllowPrivate = true;
  await prismaClient().poll.deleteMany();
});

let count = 0;
/** Each test has a mailbox of its own. */
const newUser = () => `user${process.pid}x${(count += 1)}`;

test('mail that was there before starts no run; each new message starts one', async () => {
  const mail = await mailTrigger(server, newUser());
  mail.deliver('Old');
  await mail.again();
  expect(await mail.read(mail.pollId)).toMatchObject({ lastError: null, lastItems: 1, lastNewItems: 1 });
  expect(await mail.subjects()).toEqual([]);
  mail.deliver('First');
  mail.deliver('Second');
  await mail.again();
  await mail.again();
  expect(await mail.subjects()).toEqual(['First', 'Second']);
  const [message] = await mail.messages();
  const [mailbox, uidValidity, uid] = message?.id.split('/') ?? [];
  expect([mailbox, uid]).toEqual(['INBOX', '2']);
  const { cursorValue } = await mail.read(mail.pollId);
  expect(cursorValue).toMatchObject({ mailbox: 'INBOX', uidValidity, uid: 3, pending: [] });
});

test('a message is read as it was sent', async () => {
  const mail = await mailTrigger(server, newUser(), { first: 'deliver' });
  const sent = [
    'From: =?utf-8?B?w4RkYSBM?= <Ada@Example.com>',
    'To: "Doe, Jane" <jane@example.com>, bob@example.com',
    'Cc: Team: carl@example.com, dora@example.com;',
    'Reply-To: answers@example.com',
    'Subject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?=',
    'Date: Tue, 3 Feb 2026 10:00:00 +0100',
    'Message-ID: <one@example.com>',
    'List-Id: <news.example.com>',
    'Content-Type: text/plain; charset=windows-1252',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Caf=E9 costs 3 =80',
    '',
  ];
  server.deliver(mail.username, sent.join('\n'), new Date('2026-02-03T09:00:05Z'));
  await mail.again();
  expect(await mail.messages()).toMatchObject([
    {
      messageId: '<one@example.com>',
      from: 'Äda L <Ada@Example.com>',
      fromAddress: 'ada@example.com',
      to: ['"Doe, Jane" <jane@example.com>', 'bob@example.com'],
      cc: ['carl@example.com', 'dora@example.com'],
      replyTo: ['answers@example.com'],
      subject: '日本',
      date: '2026-02-03T09:00:00.000Z',
      receivedAt: '2026-02-03T09:00:05.000Z',
      text: 'Café costs 3 €\n',
      html: null,
      headers: { 'list-id': '<news.example.com>' },
      attachments: [],
      isCut: false,
      problem: null,
    },
  ]);
});

test('attachments are stored as files; a message with HTML alone has a text as well', async () => {
  const mail = await mailTrigger(server, newUser(), { first: 'deliver' });
  const parts = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Your <b>bill</b></p>',
    '--b',
    "Content-Type: text/csv; name*=UTF-8''b%C3%A4nk.csv",
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('a,b\n1,2\n').toString('base64'),
    '--b--',
    '',
  ];
  mail.deliver('Bill', parts.join('\n'));
  await mail.again();
  const [message] = await mail.messages();
  expect(message).toMatchObject({ text: 'Your bill', html: '<p>Your <b>bill</b></p>\n', isCut: false });
  expect(message?.attachments).toMatchObject([{ name: 'bänk.csv', contentType: 'text/csv', size: 8 }]);
  const file = await call<string>('GET', `/api/files/${message?.attachments[0]?.$file}`, { token: mail.user.token });
  expect(String(file.body)).toBe('a,b\n1,2\n');
});

test('broken and hostile messages start runs as well, and hold up no other', async () => {
  const mail = await mailTrigger(server, newUser(), { first: 'deliver' });
  const nested = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('');
  mail.deliver(
    'Half',
    'Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n--b\nContent-Ty',
  );
  mail.deliver('Nested', nested(300));
  server.deliver(mail.username, Buffer.from([0, 255, 10, 13, 0, 200, 10, 10, 0, 7]));
  mail.deliver('NUL', 'Content-Transfer-Encoding: quoted-printable\n\nbe=00fore\n');
  mail.deliver('Fine');
  await mail.again();
  expect(await mail.read(mail.pollId)).toMatchObject({ lastError: null, lastNewItems: 5 });
  const messages = await mail.messages();
  expect(messages.map(({ subject }) => subject).toSorted()).toEqual(['', 'Fine', 'Half', 'NUL', 'Nested']);
  expect(messages.find(({ subject }) => subject === 'Nested')).toMatchObject({
    fromAddress: 'ada@example.com',
    problem: expect.stringContaining('can not be read'),
    text: '',
  });
  expect(messages.find(({ subject }) => subject === 'NUL')?.text).toBe('before\n');
});

test('a large message has its beginning', async () => {
  const mail = await mailTrigger(server, newUser(), { first: 'deliver', config: { attachments: false } });
  mail.deliver('Large', `\n${'x'.repeat(78)}\n`.repeat(20_000));
  await mail.again();
  const [message] = await mail.messages();
  expect(message).toMatchObject({ subject: 'Large', isCut: true });
  expect(message?.text.length).toBe(256 * 1024);
});

test('messages beyond the limit are read at the next poll', async () => {
  const mail = await mailTrigger(server, newUser(), { config: { limit: 2 } });
  await mail.again();
  for (const subject of ['1', '2', '3', '4', '5']) mail.deliver(subject);
  await mail.again();
  expect(await mail.subjects()).toEqual(['1', '2']);
  await mail.again();
  await mail.again();
  expect(await mail.subjects()).toEqual(['1', '2', '3', '4', '5']);
});

test('filters choose by sender, subject and what is unread', async () => {
  const config = { from: 'ADA@', subject: 'Größe', unseen: true };
  const mail = await mailTrigger(server, newUser(), { config });
  await mail.again();
  mail.deliver('Neue =?utf-8?Q?Gr=C3=B6=C3=9Fe?=');
  mail.deliver('Other');
  server.deliver(mail.username, 'From: bob@example.com\nSubject: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=\n\n');
  await mail.again();
  expect(await mail.subjects()).toEqual(['Neue Größe']);
});

describe('afterwards', () => {
  test('messages are marked as read once their runs are stored', async () => {
    const mail = await mailTrigger(server, newUser(), { config: { afterwards: 'mark_read' } });
    mail.deliver('Old');
    await mail.again();
    mail.deliver('New');
    await mail.again();
    expect(await mail.subjects()).toEqual(['New']);
    expect(server.flags(mail.username)).toEqual(['', '']);
    await mail.again();
    // What started no run is left as it was.
    expect(server.flags(mail.username).toSorted()).toEqual(['', 'S']);
  });

  test('or moved; a folder that does not exist is shown at once', async () => {
    const username = newUser();
    const mail = await mailTrigger(server, username, { config: { afterwards: 'move', moveTo: 'Done' } });
    mail.deliver('Old');
    await mail.again();
    expect((await mail.read(mail.pollId)).lastError).toBe('MAILBOX_NOT_FOUND: The mailbox "Done" does not exist.');
    server.addFolder(username, 'Done');
    await mail.again();
    mail.deliver('New');
    await mail.again();
    await mail.again();
    expect(await mail.subjects()).toEqual(['New']);
    expect(server.flags(username, 'Done')).toHaveLength(1);
    expect(server.flags(username)).toHaveLength(1);
  });
});

test('messages whose runs can not start yet are left as they are, and start later', async () => {
  const mail = await mailTrigger(server, newUser(), { config: { afterwards: 'mark_read' } });
  await mail.again();
  const where = { id: mail.workflowId };
  await prismaClient().workflow.update({ where, data: { concurrencyLimit: 1, concurrencyOverflow: 'refuse' } });
  mail.deliver('1');
  mail.deliver('2');
  await mail.again();
  await mail.again();
  expect(await mail.subjects()).toEqual(['1']);
  expect(server.flags(mail.username)).toEqual(['', '']);
  await prismaClient().execution.updateMany({ where: { workflowId: mail.workflowId }, data: { status: 'completed' } });
  await mail.again();
  await mail.again();
  expect(await mail.subjects()).toEqual(['1', '2']);
  expect(server.flags(mail.username)).toEqual(['S', 'S']);
});

test('after the server has numbered its messages anew, only later ones start runs', async () => {
  const mail = await mailTrigger(server, newUser());
  server.deliver(mail.username, 'Subject: Old\n\n', new Date('2026-01-01T00:00:00Z'));
  await mail.again();
  const before = await mail.read(mail.pollId);
  server.renumber(mail.username);
  server.deliver(mail.username, 'Subject: New\n\n', new Date('2026-01-01T00:00:01Z'));
  await mail.again();
  await mail.again();
  expect(await mail.subjects()).toEqual(['New']);
  const uidValidity = ({ cursorValue }: PollTrigger) => MailCursor.parse(cursorValue).uidValidity;
  expect(uidValidity(await mail.read(mail.pollId))).not.toBe(uidValidity(before));
});

test('another mailbox begins with what arrives next', async () => {
  const username = newUser();
  server.addFolder(username, 'Bills');
  const mail = await mailTrigger(server, username);
  mail.deliver('Old');
  await mail.again();
  const { node } = await mail.read(mail.pollId);
  await mail.send('PUT', `/${mail.pollId}`, { node: { ...node, config: { ...node.config, mailbox: 'Bills' } } });
  await mail.again();
  expect(await mail.read(mail.pollId)).toMatchObject({
    lastError: null,
    lastItems: 0,
    cursorValue: { mailbox: 'Bills' },
  });
  expect(await mail.subjects()).toEqual([]);
});

describe('a poll says why it fails:', () => {
  test.each([
    ['a wrong password', { password: 'wrong' }, 'MAIL_LOGIN: 127.0.0.1 refused the user name or the password.'],
    ['an unknown certificate', { ca: undefined }, 'TLS: 127.0.0.1: unable to verify'],
    ['a server that is not there', { port: 1 }, 'CONNECTION_FAILED: 127.0.0.1: connect ECONNREFUSED'],
  ])('%s', async (_, credential, message) => {
    const mail = await mailTrigger(server, newUser(), { credential });
    await mail.again();
    const { lastError, failures } = await mail.read(mail.pollId);
    expect(lastError).toContain(message);
    expect(lastError).not.toContain('canary');
    expect(failures).toBe(1);
  });

  test('a private address', async () => {
    const mail = await mailTrigger(server, newUser());
    getRuntime().env.egressAllowPrivate = false;
    await mail.again();
    expect((await mail.read(mail.pollId)).lastError).toContain('EGRESS_DENIED: 127.0.0.1 is not a public address');
  });

  test.each([
    ['says nothing', () => undefined],
    ['sends without end', (write: (text: string) => void) => write(`* OK ${'x'.repeat(5 * 1024 * 1024)}`)],
  ])('a server that %s', async (_, greet) => {
    const hostile = await listen((write) => greet(write));
    const mail = await mailTrigger(server, newUser(), {
      credential: { port: hostile.port, security: 'none' },
    });
    const { node } = await mail.read(mail.pollId);
    await mail.send('PUT', `/${mail.pollId}`, { node: { ...node, timeoutMs: 500 } });
    await mail.again();
    expect((await mail.read(mail.pollId)).lastError).toMatch(/^(TIMEOUT|BAD_RESPONSE): /);
    await hostile.close();
  });
});

test('a test of the poll shows messages, and changes nothing', async () => {
  const mail = await mailTrigger(server, newUser(), { config: { afterwards: 'mark_read' } });
  mail.deliver('Shown');
  const path = `/api/workflows/${mail.workflowId}/polls/${mail.pollId}/test`;
  const { status, body } = await call<TestPollResponse>('POST', path, { token: mail.user.token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 1, newItems: 1, items: [{ subject: 'Shown' }] });
  expect(await mail.subjects()).toEqual([]);
  expect(server.flags(mail.username)).toEqual(['']);
});

test('a workspace can not use the mailbox of another', async () => {
  const [mine, theirs] = [await polledWorkflow(), await polledWorkflow()];
  const credentialId = await mailCredential(theirs.user, server.config(newUser()));
  const { status, body } = await mine.send('POST', '', mailPoll(credentialId));
  expect(status).toBe(400);
  expect(body.error.details).toMatchObject([{ field: 'node.credentialId' }]);
  const tried = await call<Refused>('POST', `/api/credentials/${credentialId}/test`, {
    token: mine.user.token,
    body: {},
  });
  expect(tried.status).toBe(404);
  // Nor can a poll that names it in the database.
  const { body: own } = await mine.send(
    'POST',
    '',
    mailPoll(await mailCredential(mine.user, server.config(newUser()))),
  );
  const node = { ...mailPoll(credentialId).node };
  await prismaClient().poll.update({ where: { id: own.id }, data: { node } });
  await executeDuePolls();
  expect((await mine.read(own.id)).lastError).toContain('CREDENTIAL_MISSING');
});

test('the example of docs/triggers/mail.md creates a poll', async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/triggers/mail.md'), 'utf8');
  const example = CreatePollRequest.parse(JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? ''));
  const username = newUser();
  const { node, ...settings } = example;
  const mail = await mailTrigger(server, username, { ...settings, config: node.config });
  await mail.again();
  mail.deliver('Order 7');
  mail.deliver('Other');
  await mail.again();
  expect(await mail.subjects()).toEqual(['Order 7']);
  const [message = {}] = await mail.messages();
  const fields = [...(page.split('## A message')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (`.*?) \|/gm)];
  const documented = fields.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(Object.keys(message).toSorted()).toEqual(documented.toSorted());
});

test('the test of a credential signs in', async () => {
  const { user } = await polledWorkflow();
  const username = newUser();
  server.deliver(username, 'Subject: One\n\n');
  const tried = async (changes: object) => {
    const id = await mailCredential(user, server.config(username, changes));
    return (await call<{ message: string }>('POST', `/api/credentials/${id}/test`, { token: user.token, body: {} }))
      .body;
  };
  const accepted = { ok: true, message: 'The mail server accepted the login. The inbox has 1 message.' };
  expect(await tried({})).toEqual(accepted);
  expect(await tried({ security: 'starttls', port: server.port })).toEqual(accepted);
  expect(await tried({ security: 'none', port: server.port })).toEqual(accepted);
  expect(await tried({ port: server.port })).toMatchObject({
    ok: false,
    message: '127.0.0.1 does not begin with TLS at this port: choose STARTTLS, or another port.',
  });
  expect(await tried({ password: 'wrong' })).toMatchObject({ ok: false });
});

/** A server that greets as it is told. */
async function listen(greet: (write: (text: string) => void) => void) {
  const sockets = new Set<Socket>();
  const hostile: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    greet((text) => socket.write(text));
  });
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
  return {
    port: (hostile.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        hostile.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
