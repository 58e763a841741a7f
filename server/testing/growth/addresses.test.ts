import { beforeAll, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '../factories';
import { findAllGrowth } from './growth';
import { inputOf, type Make, type Target } from './operation-inputs';
import { useListener } from './requests';
import { MAX_BATCH_CALLS } from '@/contract/batch';
import { fieldsOf, FORMS, HEADERS, JSONS, LONG_RUNS, MAX_HEAD, repeated, type Family } from './texts';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;

let token: string;
beforeAll(async () => {
  ({ token } = await buildUser());
});

const find = (address: string, method: string, inputs: [string, number, Make][], headers = {}) => {
  const target: Target = { listener, address, headers };
  return findAllGrowth(inputs.map((input) => inputOf(target, method, input)));
};

const JSON_TYPE = { 'content-type': 'application/json' };

const posted = (bodies: Record<string, Family>): [string, number, Make][] =>
  Object.entries(bodies).map(([name, make]) => [
    name,
    BYTES_PER_MIB,
    (size) => ({ headers: JSON_TYPE, body: make(size) }),
  ]);

const asked = (address: string, queries: Record<string, Family>, largest = MAX_HEAD): [string, number, Make][] =>
  Object.entries(queries).map(([name, make]) => [name, largest, (size) => ({ target: `${address}${make(size)}` })]);

const escaped = (prefix: string, bodies: Record<string, Family>): Record<string, Family> =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, make]): [string, Family] => [
      name,
      (size) => prefix + encodeURIComponent(make(size / 3)),
    ]),
  );

test('bodies for tRPC', { timeout: MINUTES }, async () => {
  expect(await find('/api/trpc/auth.login,auth.login?batch=1', 'POST', posted(JSONS))).toEqual([]);
  const calls = Array.from({ length: MAX_BATCH_CALLS }, () => 'projects.apply').join();
  const wide = (part: string) => (size: number) =>
    `{${Array.from({ length: MAX_BATCH_CALLS }, (_, at) => `"${at}":{"${part}":{${fieldsOf(size / MAX_BATCH_CALLS)}}}`).join()}}`;
  const inputs = posted({ 'many queries': wide('query'), 'many params': wide('params') });
  expect(await find(`/api/trpc/${calls}?batch=1`, 'POST', inputs)).toEqual([]);
});

test('addresses and inputs of reads by tRPC', { timeout: MINUTES }, async () => {
  const address = '/api/trpc/';
  const names: Record<string, Family> = {
    'many procedures': (size) => `${repeated(size, 'setup.get,')}setup.get?batch=1`,
    commas: (size) => `${','.repeat(size)}?batch=1`,
    'a long name': (size) => 'a'.repeat(size),
    dots: (size) => '.'.repeat(size),
    escapes: (size) => repeated(size, '%2C'),
  };
  expect([
    ...(await find(address, 'GET', asked(address, names))),
    ...(await find(address, 'GET', asked(`${address}setup.get?input=`, escaped('', JSONS)))),
  ]).toEqual([]);
});

/** A message of the protocol around a value. */
const called = (bodies: Record<string, Family>): Record<string, Family> =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, make]): [string, Family] => [
      `${name} as arguments`,
      (size) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":${make(size)}}}}`,
    ]),
  );

test('messages of the Model Context Protocol', { timeout: MINUTES }, async () => {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
  expect(await find('/mcp', 'POST', posted(called(JSONS)), headers)).toEqual([]);
});

test.each(['/oauth/callback', '/healthz', '/api/nothing'])(
  'headers and queries at %s',
  { timeout: MINUTES },
  async (address) => {
    const headers = Object.entries(HEADERS).map(([name, make]): [string, number, Make] => [
      `header ${name}`,
      MAX_HEAD - 1024,
      (size) => ({ headers: { [name]: make(size) } }),
    ]);
    const queries = { ...FORMS, ...escaped('code=', LONG_RUNS) };
    expect(await find(address, 'GET', [...headers, ...asked(`${address}?`, queries, MAX_HEAD - 256)])).toEqual([]);
  },
);

test('long paths', { timeout: MINUTES }, async () => {
  const paths: Record<string, Family> = {
    'many parts': (size) => repeated(size, 'a/'),
    slashes: (size) => '/'.repeat(size),
    dots: (size) => repeated(size, '../'),
    ...escaped('', LONG_RUNS),
  };
  for (const base of ['/api/workflows/', '/webhooks/', '/forms/a/', '/auth/', '/api/chat/a/']) {
    expect(await find(base, 'GET', asked(base, paths))).toEqual([]);
  }
});
