import { expect, test } from 'vitest';
import { MAX_BODY_DEPTH } from '@/server/platform/messages/request-body';
import { requireJsonContentType, parseJsonOrProblem } from './json';
import { ApiProblem } from '@/server/platform/errors/problem';

const parse = (text: string) => parseJsonOrProblem(new TextEncoder().encode(text));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('JSON survives a round trip', () => {
  expect(parse('{"b":1,"a":[null,"é",1.5,-0.1e-3]}')).toEqual({ b: 1, a: [null, 'é', 1.5, -0.0001] });
});

test.each([
  ['no JSON', '{'],
  ['nothing but space', ' '],
  ['a number beyond doubles', '{"n":1e999}'],
  ['one level too many', nested(MAX_BODY_DEPTH + 2)],
  ['a million brackets', nested(500_000)],
])('%s is refused as invalid', (_, text) => {
  expect(() => parse(text)).toThrow(ApiProblem);
});

test('nesting up to the limit is accepted', () => {
  expect(() => parse(nested(MAX_BODY_DEPTH))).not.toThrow();
});

test('bytes that are not valid UTF-8 are refused', () => {
  expect(() => parseJsonOrProblem(Uint8Array.from([0x22, 0xc3, 0x28, 0x22]))).toThrow('UTF-8');
});

test('a __proto__ key is data and changes no prototype', () => {
  const value = parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
  expect(Object.hasOwn(value, '__proto__')).toBe(true);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/cloudevents+json',
])('%s is JSON', (type) => expect(() => requireJsonContentType(new Headers({ 'content-type': type }))).not.toThrow());

test.each([
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=latin1',
  'application/jsonp',
])('%s is not JSON', (type) =>
  expect(() => requireJsonContentType(new Headers({ 'content-type': type }))).toThrow(ApiProblem),
);
