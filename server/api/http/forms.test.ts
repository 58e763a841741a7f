import { describe, expect, test } from 'vitest';
import { configureNextAuth } from '@/server/platform/env/env';
import { parseUrlEncodedFields } from '@/server/platform/messages/request-body';
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
      expect(error.message).toContain('It has more than 20 faults, of which the first 20 are listed.');
      expect(error.details).toHaveLength(20);
      expect(error.details[0]).toEqual({ field: 'f0', message: 'is given more than once' });
    });
  },
);

test('an error names twenty details at most, and says how many there are', async () => {
  const body = Object.fromEntries(names(1000));
  const { body: refused } = await call<Refused>('POST', '/api/auth/login', { body });
  expect(refused.error.details).toHaveLength(20);
  expect(refused.error.message).toBe(
    'The request is invalid. It has more than 20 faults, of which the first 20 are listed.',
  );
});

test.each(['a', '//', 'javascript:alert(1)', '/\\\\'.repeat(500)])(
  'an address to return to that is none (%s) is refused',
  async (callbackUrl) => {
    configureNextAuth('http://localhost:8080');
    const refused = { status: 400, json: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'callbackUrl' }] } } };
    const browser = new Browser();
    expect(await browser.go('POST', '/api/auth/signout', { form: { callbackUrl } })).toMatchObject(refused);
    const query = `callbackUrl=${encodeURIComponent(callbackUrl)}`;
    expect(await browser.go('GET', `/api/auth/csrf?${query}`)).toMatchObject(refused);
  },
);

test('an address to return to that is none in a cookie is passed over', async () => {
  configureNextAuth('http://localhost:8080');
  const browser = new Browser();
  browser.cookies.set('next-auth.callback-url', 'a');
  expect((await browser.go('GET', '/api/auth/csrf')).status).toBe(200);
});

test('a form is read as browsers write it', () => {
  const text = 'a+b=c+%2B+d&a+b=%20+&%C3%A9=%&=&x';
  expect(parseUrlEncodedFields(Buffer.from(text))).toEqual([...new URLSearchParams(text)]);
});
