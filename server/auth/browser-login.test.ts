import { expect, test, vi } from 'vitest';
import { prisma } from '../db/client';
import { runtime, setRuntime } from '../runtime';
import { buildUser, PASSWORD } from '../testing/factories';
import { useDatabase } from '../testing/database';
import { browserLogin } from './browser-login';
import { PEER_HEADER } from '../api/address';
import { callerFromSession } from './session';

useDatabase();

interface SignedIn {
  id: string;
  sessionId: string;
}

/** What next-auth does with the fields of the sign-in form. */
function submit(given: unknown, from = '192.0.2.7'): Promise<SignedIn> {
  const [provider] = browserLogin(
    new Headers({ [PEER_HEADER]: from, 'user-agent': 'x'.repeat(9000) }),
    () => undefined,
  ).providers;
  const { authorize } = (provider?.options ?? {}) as { authorize(given: unknown): Promise<SignedIn> };
  return authorize(given);
}

test('email and password begin a session, whatever else the form sends along', async () => {
  const user = await buildUser();
  const signedIn = await submit({
    email: user.email,
    password: PASSWORD,
    mfaCode: '',
    redirect: 'false',
    json: 'true',
  });
  expect((await callerFromSession(signedIn.sessionId))?.person.userId).toBe(user.id);
  const session = await prisma().session.findUniqueOrThrow({ where: { id: signedIn.sessionId } });
  expect(session.userAgent).toHaveLength(500);
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

test('too many wrong ones say how long to wait', async () => {
  const user = await buildUser();
  for (let i = 0; i < 5; i += 1) await expect(submit({ email: user.email, password: 'wrong' })).rejects.toThrow();
  await expect(submit({ email: user.email, password: PASSWORD })).rejects.toThrow(/^RATE_LIMITED:\d+$/);
});

test('what goes wrong inside stays inside', async () => {
  const before = runtime();
  const findUnique = vi.fn(() => Promise.reject(new Error('SELECT secret FROM nowhere')));
  setRuntime({ ...before, prisma: Object.assign(Object.create(before.prisma), { user: { findUnique } }) });
  await expect(submit({ email: 'a@example.com', password: PASSWORD })).rejects.toThrow(/^INTERNAL_ERROR$/);
  setRuntime(before);
  expect(findUnique).toHaveBeenCalled();
});
