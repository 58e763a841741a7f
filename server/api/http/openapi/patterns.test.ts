import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationTable } from '@/server/api/operations';
import { querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { bodySchema, jsonReplyIn } from '@/server/api/operation/operation-parts';
import { listNodeConfigs } from './node-schemas';
import { buildOpenApiDocument } from './openapi';
import { findCheckPatterns, toPortablePattern } from './patterns';

/** Every expression that the service checks a text of a request or an answer with. */
function expressions(): RegExp[] {
  const schemas = [
    ...(operationTable as readonly OperationRecord[]).flatMap((one) => [
      querySchema(one),
      bodySchema(one),
      jsonReplyIn(one)?.schema,
    ]),
    ...listNodeConfigs().map(([, config]) => config),
  ].filter((schema): schema is z.ZodType => schema !== undefined);
  const found = new Map<string, RegExp>();
  z.toJSONSchema(z.object(Object.fromEntries(schemas.entries())), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      for (const one of findCheckPatterns(zodSchema)) found.set(String(one), one);
    },
  });
  return [...found.values()];
}

const patterns = new Set<string>();
JSON.parse(JSON.stringify(buildOpenApiDocument('https://weft.test')), (key, value: unknown) => {
  if (key === 'pattern' && typeof value === 'string') patterns.add(value);
  return value;
});

test('every pattern is one of ECMA-262 without flags', () => {
  expect(patterns.size).toBeGreaterThan(20);
  for (const pattern of patterns) {
    expect(() => new RegExp(pattern), pattern).not.toThrow();
    expect(pattern).not.toMatch(/\\[pP]\{|\\u\{|[\ud800-\udfff]/);
  }
});

const STEP = 61;
const seed = Number(process.env['TEST_SEED']) % STEP;

/** All of the first thousand characters of Unicode, and one of each 61, which the commit chooses. */
const SAMPLES = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => (code < 1000 || (code + seed) % STEP === 0) && !(code >= 0xd800 && code <= 0xdfff))
  .map((code) => String.fromCodePoint(code));

test('a pattern accepts what the service accepts, and refuses what it refuses', () => {
  const flagged = expressions().filter(({ flags }) => flags !== '');
  expect(flagged.length).toBeGreaterThan(1);
  for (const expression of flagged) {
    const text = toPortablePattern(expression);
    expect(patterns).toContain(text);
    const pattern = new RegExp(text);
    const differing = SAMPLES.flatMap((character) => [
      character,
      `a${character}`,
      `${character}b`,
      `a${character}9`,
    ]).filter((sample) => pattern.test(sample) !== expression.test(sample));
    expect([String(expression), differing]).toEqual([String(expression), []]);
  }
});

test('every expression without flags stands as it is', () => {
  const plain = expressions().filter(({ flags }) => flags === '');
  expect(plain.length).toBeGreaterThan(10);
  for (const expression of plain) expect(toPortablePattern(expression)).toBe(expression.source);
});

test.each([
  ['a set in both planes', /^[\u{fff0}-\u{10010}]$/u],
  ['whole blocks of surrogates', /^[\u{20000}-\u{2ffff}]$/u],
  ['what a class leaves out', /^[^a-z]$/u],
  ['any character', /^.$/u],
  ['a character beyond the first plane', /^😀$/u],
  ['letters of both cases', /^[a-z]\d?$/i],
  ['a single letter of both cases', /^k$/i],
])('%s', (_, expression) => {
  const pattern = new RegExp(toPortablePattern(expression));
  expect(SAMPLES.filter((sample) => pattern.test(sample) !== expression.test(sample))).toEqual([]);
});
