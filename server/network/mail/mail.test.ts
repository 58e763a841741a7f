import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { sendOutgoingMail, type OutgoingMail } from './mail';
import { closeMailTransports, MailFailure } from './smtp';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';

useDatabase();

const mail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
  workspaceId: null,
  to: ['ada@example.com'],
  subject: 'Hello',
  text: 'Good morning.',
  ...changes,
});

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof MailFailure ? { code: error.code, isRetriable: error.isRetriable } : error),
  );

const changeEnv = (changes: Partial<ReturnType<typeof getRuntime>['env']>) =>
  setRuntime({ ...getRuntime(), env: { ...getRuntime().env, ...changes } });

describe('without SMTP', () => {
  test('a development installation stores a mail in the outbox of its workspace', async () => {
    const receipt = await sendOutgoingMail(
      mail({ workspaceId: 'ws_a', cc: ['Bob <bob@example.com>'], html: '<b>Hi</b>' }),
    );
    expect(receipt).toMatchObject({ accepted: ['ada@example.com', 'bob@example.com'], rejected: [] });
    const stored = await prismaClient().outboxMail.findFirstOrThrow({ where: { workspaceId: 'ws_a' } });
    expect(stored).toMatchObject({
      from: 'Weft <weft@localhost>',
      to: ['ada@example.com', 'bob@example.com'],
      subject: 'Hello',
      text: 'Good morning.',
      html: '<b>Hi</b>',
    });
    expect(receipt.messageId).toContain(stored.id);
  });

  test('other installations report the missing configuration', async () => {
    const { env } = getRuntime();
    changeEnv({ deploymentEnv: 'selfhosted' });
    expect(await failureOf(sendOutgoingMail(mail()))).toEqual({ code: 'MAIL_NOT_CONFIGURED', isRetriable: false });
    changeEnv(env);
  });
});

describe('header injection', () => {
  test.each([
    ['a line break in the subject', { subject: 'Hi\r\nBcc: eve@example.com' }],
    ['a bare newline in the subject', { subject: 'Hi\nBcc: eve@example.com' }],
    ['a line break in an address', { to: ['ada@example.com\r\nBcc: eve@example.com'] }],
    ['two people in one address', { to: ['ada@example.com, eve@example.com'] }],
    ['a group', { to: ['everybody: ada@example.com, eve@example.com;'] }],
    ['an address hidden in quotes', { to: ['"eve@example.com x"@example.com'] }],
    ['two angle brackets', { to: ['Ada <ada@example.com> <eve@example.com>'] }],
    ['a line break in the sender', { from: 'a@example.com\nX: y' }],
    ['a line break in reply-to', { replyTo: 'a@example.com\nX: y' }],
    ['NUL', { text: 'a\u0000b' }],
    ['no recipient', { to: [] }],
    ['no address at all', { to: ['ada'] }],
  ] satisfies [string, Partial<OutgoingMail>][])('%s', async (_, changes) => {
    expect(await failureOf(sendOutgoingMail(mail(changes)))).toEqual({ code: 'MAIL_INVALID', isRetriable: false });
  });
});

describe('with SMTP', () => {
  const received: ParsedMail[] = [];
  let connections = 0;
  let answer: (address: string) => Error | null = () => null;
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onConnect(_, done) {
      connections += 1;
      done();
    },
    onAuth: ({ username, password }, _, done) =>
      username === 'weft' && password === 'right' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onRcptTo: ({ address }, _, done) => done(answer(address)),
    onData(stream, _, done) {
      simpleParser(stream).then((parsed) => {
        received.push(parsed);
        done();
      }, done);
    },
  });
  const port = () => (server.server.address() as { port: number }).port;
  const refusal = (code: number) => Object.assign(new Error('no'), { responseCode: code });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    changeEnv({ smtpUrl: `smtp://127.0.0.1:${port()}`, mailFrom: 'Weft <weft@example.com>' });
  });
  afterEach(() => {
    received.length = 0;
    answer = () => null;
  });
  afterAll(async () => {
    closeMailTransports();
    await new Promise<void>((resolve) => server.close(resolve));
  });

  test('the server receives it complete, with names, over reused connections', async () => {
    const receipt = await sendOutgoingMail(
      mail({
        to: ['Ada Lovelace <ada@example.com>'],
        bcc: ['eve@example.com'],
        replyTo: 'r@example.com',
        html: '<b>ü</b>',
      }),
    );
    expect(receipt.accepted).toEqual(['ada@example.com', 'eve@example.com']);
    const [got] = received;
    expect(got?.from?.text).toBe('"Weft" <weft@example.com>');
    expect(got?.to).toMatchObject({ text: '"Ada Lovelace" <ada@example.com>' });
    expect(got?.bcc).toBeUndefined();
    expect(got).toMatchObject({ subject: 'Hello', html: '<b>ü</b>' });
    expect(got?.messageId).toBe(receipt.messageId);
    for (let count = 0; count < 10; count += 1) await sendOutgoingMail(mail());
    expect(connections).toBeLessThanOrEqual(5);
  });

  test('refused recipients are reported', async () => {
    answer = (address) => (address === 'bob@example.com' ? refusal(550) : null);
    expect(await sendOutgoingMail(mail({ to: ['ada@example.com', 'bob@example.com'] }))).toMatchObject({
      accepted: ['ada@example.com'],
      rejected: ['bob@example.com'],
    });
  });

  test('a permanent refusal is not retriable, a temporary one is', async () => {
    answer = () => refusal(550);
    expect(await failureOf(sendOutgoingMail(mail()))).toEqual({ code: 'MAIL_REFUSED', isRetriable: false });
    answer = () => refusal(451);
    expect(await failureOf(sendOutgoingMail(mail()))).toEqual({ code: 'MAIL_UNREACHABLE', isRetriable: true });
  });

  test("a credential's server is used with its name and password", async () => {
    const credential = { host: '127.0.0.1', port: port(), secure: false, username: 'weft', password: 'right' };
    expect((await sendOutgoingMail(mail({ from: 'other@example.com' }), credential)).accepted).toEqual([
      'ada@example.com',
    ]);
    expect(received[0]?.from?.text).toBe('other@example.com');
    expect(await failureOf(sendOutgoingMail(mail(), { ...credential, password: 'wrong' }))).toMatchObject({
      code: 'MAIL_REFUSED',
    });
  });

  test('an unreachable server is retriable', async () => {
    const nobody = { host: '127.0.0.1', port: 1, secure: false };
    expect(await failureOf(sendOutgoingMail(mail(), nobody))).toEqual({ code: 'MAIL_UNREACHABLE', isRetriable: true });
  });
});
