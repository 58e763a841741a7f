import { describe, expect, test } from 'vitest';
import { RedirectCookies } from './cookies';

/** The Cookie header of a request after a response with these lines. */
function sent(lines: string[], from: string, to: string, written?: string): string | undefined {
  const cookies = new RedirectCookies();
  cookies.keep(new URL(from), lines);
  return cookies.headerFor(new URL(to), written);
}
const HOST = 'https://app.example.com';

describe('a cookie goes', () => {
  test.each<[string, string, string, string]>([
    ['sid=abc', `${HOST}/login`, `${HOST}/home`, 'sid=abc'],
    ['sid=abc; Path=/', 'http://127.0.0.1:80/a/b', 'http://127.0.0.1:81/x', 'sid=abc'],
    ['sid=a=b; HttpOnly; SameSite=Lax', `${HOST}/`, `${HOST}/`, 'sid=a=b'],
    ['sid="a b"', `${HOST}/`, `${HOST}/`, 'sid="a b"'],
    ['sid=a; Domain=.Example.com; Secure', `${HOST}/`, 'https://other.example.com/', 'sid=a'],
    ['sid=a; Domain=example.com', `${HOST}/`, 'https://example.com/', 'sid=a'],
    ['sid=a; Path=/in', `${HOST}/`, `${HOST}/in/side`, 'sid=a'],
    ['sid=a', `${HOST}/in/login`, `${HOST}/in`, 'sid=a'],
    ['sid=a; Expires=Wed, 21 Oct 2099 07:28:00 GMT', `${HOST}/`, `${HOST}/`, 'sid=a'],
    ['sid=a; Max-Age=60; Expires=Wed, 21 Oct 2015 07:28:00 GMT', `${HOST}/`, `${HOST}/`, 'sid=a'],
    ['__Host-sid=a; Secure; Path=/', `${HOST}/`, `${HOST}/`, '__Host-sid=a'],
    ['sid=é', `${HOST}/`, `${HOST}/`, `sid=${Buffer.from('é').toString('latin1')}`],
  ])('%s from %s to %s', (line, from, to, header) => expect(sent([line], from, to)).toBe(header));
});

describe('a cookie does not go', () => {
  test.each([
    ['sid=a', `${HOST}/`, 'https://example.com/'],
    ['sid=a', `${HOST}/`, 'https://sub.app.example.com/'],
    ['sid=a', `${HOST}/`, 'https://evil.example/'],
    ['sid=a; Domain=example.com', `${HOST}/`, 'https://evilexample.com/'],
    ['sid=a; Domain=other.example.com', `${HOST}/`, 'https://other.example.com/'],
    ['sid=a; Domain=sub.app.example.com', `${HOST}/`, 'https://sub.app.example.com/'],
    ['sid=a; Domain=com', `${HOST}/`, 'https://evil.com/'],
    ['sid=a; Domain=co.uk', 'https://shop.co.uk/', 'https://evil.co.uk/'],
    ['sid=a; Domain=0.0.1', 'https://127.0.0.1/', 'https://126.0.0.1/'],
    ['sid=a; Secure', `${HOST}/`, 'http://app.example.com/'],
    ['sid=a; Secure', 'http://app.example.com/', `${HOST}/`],
    ['sid=a; Path=/in', `${HOST}/`, `${HOST}/inner`],
    ['sid=a', `${HOST}/in/login`, `${HOST}/`],
    ['sid=a; Max-Age=0', `${HOST}/`, `${HOST}/`],
    ['sid=a; Max-Age=-1', `${HOST}/`, `${HOST}/`],
    ['sid=a; Expires=Wed, 21 Oct 2015 07:28:00 GMT', `${HOST}/`, `${HOST}/`],
    ['__Host-sid=a; Path=/', `${HOST}/`, `${HOST}/`],
    ['__Host-sid=a; Secure; Path=/; Domain=app.example.com', `${HOST}/`, `${HOST}/`],
    ['__Secure-sid=a', `${HOST}/`, `${HOST}/`],
    [`sid=${'x'.repeat(5000)}`, `${HOST}/`, `${HOST}/`],
    ['sid=a\u0001b', `${HOST}/`, `${HOST}/`],
    ['=a', `${HOST}/`, `${HOST}/`],
    ['sid', `${HOST}/`, `${HOST}/`],
  ])('%s from %s to %s', (line, from, to) => expect(sent([line], from, to)).toBeUndefined());
});

test('longer paths come first; the server replaces and removes what the author has written', () => {
  const lines = ['a=1; Path=/', 'b=2; Path=/in', 'c=; Path=/; Max-Age=0', 'a=3; Path=/'];
  expect(sent(lines, `${HOST}/in/x`, `${HOST}/in/y`, 'own=0; c=9; a=8')).toBe('own=0; b=2; a=3');
  expect(sent([], `${HOST}/`, `${HOST}/`, 'as it is;;')).toBe('as it is;;');
});

test('there are at most a hundred', () => {
  const lines = Array.from({ length: 150 }, (_, at) => `c${at}=1`);
  expect(sent([...lines, 'c0=2'], `${HOST}/`, `${HOST}/`)?.split('; ')).toHaveLength(100);
  expect(sent([...lines, 'c0=2'], `${HOST}/`, `${HOST}/`)).toContain('c0=2');
});
