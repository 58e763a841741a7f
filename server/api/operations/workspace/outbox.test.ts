import { expect, test } from 'vitest';
import { sendOutgoingMail } from '@/server/network/mail/mail';
import { buildUser, call } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';

useDatabase();

test('a workspace sees the mails of its own runs, newest first', async () => {
  const [ada, bob] = [await buildUser({ role: 'viewer' }), await buildUser()];
  const send = (workspaceId: string, subject: string) =>
    sendOutgoingMail({ workspaceId, to: ['x@example.com'], subject, text: 'Hi' });
  await send(ada.workspaceId, 'first');
  await send(ada.workspaceId, 'second');
  await send(bob.workspaceId, 'foreign');
  const { status, body } = await call('GET', '/api/outbox?limit=1', { token: ada.token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    data: [{ subject: 'second', to: ['x@example.com'], from: 'Weft <weft@localhost>', text: 'Hi', html: null }],
    total: 2,
    limit: 1,
    offset: 0,
  });
  expect((await call('GET', '/api/outbox')).status).toBe(401);
});
