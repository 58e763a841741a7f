import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendQueryParameters, removeQueryParameter, requestTarget, resolveAddress, setQueryParameter } from './query';

const QUERY = "q=a%20b%2Fc&sig=a~b!'()*&e=&flag&a=1&a=2&p=x+y&%7e=%C3%BC";

test('what a query has stays as it is written', () => {
  const address = `http://host/echo?${QUERY}`;
  expect(appendQueryParameters(address, [['z', 'a b']])).toBe(`${address}&z=a+b`);
  expect(appendQueryParameters(`${address}#part?x`, [['z', '&']])).toBe(`${address}&z=%26#part?x`);
  expect(appendQueryParameters(address, [])).toBe(address);
  expect(appendQueryParameters('http://host?', [['z', '1']])).toBe('http://host?z=1');
  expect(appendQueryParameters('http://host?a&', [['z', '1']])).toBe('http://host?a&z=1');
  expect(appendQueryParameters('http://host', [['z', '1']])).toBe('http://host?z=1');
  expect(requestTarget(address, new URL(address))).toBe(`/echo?${QUERY}`);
  expect(requestTarget(`${address}#x`, new URL(address))).toBe(`/echo?${QUERY}`);
  expect(resolveAddress(`?${QUERY}`, 'http://host/echo?x')).toBe(address);
});

test('what a query cannot have is encoded', () => {
  const target = (address: string) => requestTarget(address, new URL(address));
  expect(target('http://h/a b?x=a b&y="ü<>\'')).toBe("/a%20b?x=a%20b&y=%22%C3%BC%3C%3E'");
  expect(target(' http://h/?a=1\n&b=2 ')).toBe('/?a=1&b=2');
  expect([target('http://h'), target('http://h/x?'), target('http://h?#f')]).toEqual(['/', '/x?', '/?']);
  expect(requestTarget(new URL("http://h/?a='"), new URL("http://h/?a='"))).toBe('/?a=%27');
});

test('one parameter is set or removed', () => {
  expect(setQueryParameter("http://h/?a='&p=1&b=%20&p=2#f", 'p', 'x y')).toBe("http://h/?a='&p=x+y&b=%20#f");
  expect(setQueryParameter('http://h/?a=%20', 'p', '1')).toBe('http://h/?a=%20&p=1');
  expect(setQueryParameter('http://h/?%70=1', 'p', '2')).toBe('http://h/?p=2');
  expect(removeQueryParameter('http://h/?p=1&a=~!#f', 'p')).toBe('http://h/?a=~!#f');
  expect([removeQueryParameter('http://h/?p', 'p'), removeQueryParameter('http://h/', 'p')]).toEqual([
    'http://h/',
    'http://h/',
  ]);
});

test('any legal query arrives unchanged, and is read as its author means it', () => {
  const legal = fc.string({
    unit: fc.constantFrom(...'abc019-._~!$&()*+,;=:@/?', "'", '%20', '%27', '%C3%BC'),
    maxLength: 30,
  });
  fc.assert(
    fc.property(legal, fc.string(), fc.string(), (query, name, value) => {
      const address = appendQueryParameters(`http://h/p?${query}`, [[name, value]]);
      const target = requestTarget(address, new URL(address));
      expect(target.startsWith(`/p?${query}`)).toBe(true);
      expect([...new URL(target, 'http://h').searchParams].at(-1)).toEqual(
        [name, value].map((text) => text.toWellFormed()),
      );
    }),
  );
});
