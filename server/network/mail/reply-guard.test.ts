import { afterAll, beforeAll, expect, it } from 'vitest';
import { setRuntime, type Runtime } from '@/server/platform/runtime';
import { smtpServers } from '@/server/testing/growth/servers/smtp';
import { SmtpReplyGuard } from './reply-guard';

beforeAll(() => setRuntime({ env: { egressAllowPrivate: true, deploymentEnv: 'development' } } as unknown as Runtime));
afterAll(() => setRuntime(undefined));

const LARGE = 240 * 1024;

it.each(Object.entries(smtpServers))('%s: more than a reply has is refused', async (_, server) => {
  const { call, close } = await server.start(LARGE);
  await expect(call()).rejects.toMatchObject({
    code: 'MAIL_UNREACHABLE',
    message: expect.stringContaining('The server sent more than a reply may have') as string,
  });
  await close();
});

const accepted = (guard: SmtpReplyGuard, ...chunks: string[]) =>
  chunks.map((chunk) => guard.accept(Buffer.from(chunk, 'latin1'))?.toString('latin1'));

it('a run of blanks is one, also where it is cut', () => {
  expect(accepted(new SmtpReplyGuard(), '250-AUTH   PLAIN \t', '  LOGIN\r', '\n250 OK  \r\n')).toEqual([
    '250-AUTH PLAIN ',
    'LOGIN\r',
    '\n250 OK\r\n',
  ]);
});

it('a reply of many lines is refused, one to each command is not', () => {
  const guard = new SmtpReplyGuard();
  expect(accepted(guard, '250-x\r\n'.repeat(100), '250 x\r\n')[1]).toBeUndefined();
  guard.awaitReply();
  expect(accepted(guard, '250-x\r\n'.repeat(60))[0]).toHaveLength(420);
  guard.awaitReply();
  expect(accepted(guard, '250-x\r\n'.repeat(60))[0]).toHaveLength(420);
});
