import { describe, expect, test } from 'vitest';
import { configureNextAuth } from '@/server/env/env';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { call, type Refused } from '@/server/testing/factories';

useDatabase();

const names = (count: number, more: [string, string][] = []): [string, string][] => [
  ...more,
  ...Array.from({ length: count }, (_, index): [string, string] => [`f${index}`, '']),
];

describe.each(['/auth/saml', '/auth/saml/logout', '/api/auth/signout', '/api/auth/callback/credentials'])(
  'a form to %s',
  (path) => {
    const post = async (form: [string, string][]) => {
      configureNextAuth('http://localhost:8080');
      const { status, json } = await new Browser().go('POST', path, { form });
      return { status, error: (json as Refused).error };
    };

    test('with more fields than it can have is refused before they are read', async () => {
      expect(await post(names(60_000, [['SAMLResponse', 'x']]))).toMatchObject({
        status: 400,
        error: { message: 'The form has more than 100 fields.', details: [] },
      });
    });

    test('with repeated fields names each of them once, and twenty at most', async () => {
      const repeated = names(40).flatMap((one) => [one, one]);
      const { status, error } = await post(repeated);
      expect(status).toBe(400);
      expect(error.message).toContain('It has 40 faults, of which the first 20 are listed.');
      expect(error.details).toHaveLength(20);
      expect(error.details[0]).toEqual({ field: 'f0', message: 'is given more than once' });
    });
  },
);

test('an error names twenty details at most, and says how many there are', async () => {
  const body = Object.fromEntries(names(1000));
  const { body: refused } = await call<Refused>('POST', '/api/auth/login', { body });
  expect(refused.error.details).toHaveLength(20);
  expect(refused.error.message).toBe('The request is invalid. It has 1002 faults, of which the first 20 are listed.');
});
