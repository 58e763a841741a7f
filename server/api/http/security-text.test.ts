import { afterEach, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { getRuntime } from '@/server/platform/runtime';
import { routeWebRequest } from './routes';

useDatabase();

const contact = () => getRuntime().env.securityContact;
const before = { contact: undefined as string | undefined };
const get = (method = 'GET') => routeWebRequest(new Request('http://weft.test/.well-known/security.txt', { method }));

afterEach(() => {
  getRuntime().env.securityContact = before.contact;
});

test('security.txt names the contact, and a time in the future until which it counts', async () => {
  before.contact = contact();
  getRuntime().env.securityContact = 'mailto:security@example.com';
  const response = await get();
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = Object.fromEntries(
    text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(/: (.*)/)),
  );
  const { apiBaseUrl } = getRuntime().env;
  expect(fields).toMatchObject({
    Contact: 'mailto:security@example.com',
    Canonical: `${apiBaseUrl}/.well-known/security.txt`,
    Policy: `${apiBaseUrl}/docs/reporting`,
  });
  const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(80);
  expect(days).toBeLessThan(365);
  expect((await get('POST')).status).toBe(405);
});

test('without a contact there is no security.txt', async () => {
  before.contact = contact();
  getRuntime().env.securityContact = undefined;
  expect((await get()).status).toBe(404);
});
