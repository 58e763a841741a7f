import { expect, test, vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { buildUser, PASSWORD } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { ApiProblem } from '@/server/platform/errors/problem';
import { browserAuthOptions } from './browser-login';
import { findSessionCaller } from './session';

useDatabase();

interface SignedIn {
  id: string;
  sessionId: string;
}

const onRefusal = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem('INTERNAL_ERROR', 'Internal error.');

/** Calls next-auth with the fields of the sign-in form. */
function submit(given: unknown, from = '192.0.2.7'): Promise<SignedIn> {
  const caller = { headers: new Headers(), ipAddress: from, userAgent: 'a browser', requestId: 'req_test' };
  const heard = { signedIn: () => undefined, onRefusal };
  const [provider] = browserAuthOptions(caller, heard).providers;
  const { authorize } = (provider?.options ?? {}) as { authorize(given: unknown): Promise<SignedIn> };
  return authorize(given);
}

test('email and password begin a session; other fields of the form are ignored', async () => {
  const user = await buildUser();
  const signedIn = await submit({
    email: user.email,
    password: PASSWORD,
    mfaCode: '',
    redirect: 'false',
    json: 'true',
  });
  expect((await findSessionCaller(signedIn.sessionId))?.person.userId).toBe(user.id);
  const session = await prismaClient().session.findUniqueOrThrow({ where: { id: signedIn.sessionId } });
  expect(session.userAgent).toBe('a browser');
});

test.each([
  [undefined],
  [{}],
  [{ email: 'nobody@example.com', password: 'wrong' }],
  [{ email: 'with\u0000nul@example.com', password: 'wrong' }],
  [{ email: 'half\ud800@example.com', password: 'wrong' }],
  [{ email: ['a@example.com'], password: { length: 12 } }],
  [{ email: 'nobody@example.com', password: 'x'.repeat(100_000) }],
])('%j is answered as any wrong password', async (given) => {
  await expect(submit(given)).rejects.toThrow(/^UNAUTHORIZED$/);
});

test('too many wrong passwords return the time to wait', async () => {
  const user = await buildUser();
  for (let i = 0; i < 5; i += 1) await expect(submit({ email: user.email, password: 'wrong' })).rejects.toThrow();
  await expect(submit({ email: user.email, password: PASSWORD })).rejects.toThrow(/^RATE_LIMITED:\d+$/);
});

test('internal errors are not shown', async () => {
  const before = getRuntime();
  const findFirst = vi.fn(() => Promise.reject(new Error('SELECT secret FROM nowhere')));
  setRuntime({
    ...before,
    prisma: Object.create(before.prisma, { user: { value: { findFirst } } }) as typeof before.prisma,
  });
  await expect(submit({ email: 'a@example.com', password: PASSWORD })).rejects.toThrow(/^INTERNAL_ERROR$/);
  setRuntime(before);
  expect(findFirst).toHaveBeenCalled();
});
