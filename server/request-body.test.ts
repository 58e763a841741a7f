import { describe, expect, test } from 'vitest';
import { jsonIn, readLargeJson, UnreadableBody } from './request-body';

const LIMITS = { names: 3, values: 10, longNumbers: 2 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** What is said about a body, read at once and in steps. */
async function refusalOf(text: string): Promise<string> {
  const reasons = await Promise.all(
    [() => Promise.resolve(jsonIn(bytes(text), LIMITS)), () => readLargeJson(bytes(text), LIMITS)].map(async (read) => {
      try {
        await read();
        return '';
      } catch (error) {
        return error instanceof UnreadableBody ? error.message : String(error);
      }
    }),
  );
  expect(new Set(reasons).size).toBe(1);
  return reasons[0]!;
}

describe('a JSON body', () => {
  test.each([
    ['{"a":1,"b":2,"c":3,"d":4}', /more than 3 different names/],
    ['{"a" : 1, "b" : 2, "c"\n:3, "d"\t: 4}', /more than 3 different names/],
    [`[${'1,'.repeat(10)}1]`, /more than 10 values/],
    [`[${'{},'.repeat(10)}1]`, /more than 10 values/],
    ['[1234567890123456,1234567890123457,1234567890123458]', /more than 2 numbers of 16 or more digits/],
    ['1e400', /too large/],
    ['[1E+400]', /too large/],
    ['{"a":', /not valid JSON/],
    ['"', /not valid JSON/],
    ['"\\', /not valid JSON/],
    ['', /not valid JSON/],
  ])('%s is refused', async (text, reason) => {
    expect(await refusalOf(text)).toMatch(reason);
  });

  test.each([
    '{"a":1,"b":{"a":1,"b":[1,2,{"c":3}]}}',
    '{"a":"{[,:{[,:{[,:{[,:{[,:","b":"\\":\\\\","c":"1234567890123456"}',
    '["a:","b:","c:","d:","e"]',
    '[1e10,-1.5E-300,0.1e+2]',
    '"1e400"',
    `{"a":${'9'.repeat(15)}}`,
  ])('%s is read', async (text) => {
    expect(jsonIn(bytes(text), LIMITS)).toEqual(JSON.parse(text));
    expect(await readLargeJson(bytes(text), LIMITS)).toEqual(JSON.parse(text));
  });

  test('is read alike where a step ends inside of a name, an escape or a number', async () => {
    for (let pad = 65_520; pad < 65_545; pad += 1) {
      const text = `[${' '.repeat(pad)}{"na\\"me":"te\\\\xt","b":1234567890}]`;
      expect(await readLargeJson(bytes(text), LIMITS)).toEqual(JSON.parse(text));
    }
  });

  test('nesting and numbers have limits that are the same for all', () => {
    expect(() => jsonIn(bytes('['.repeat(202) + ']'.repeat(202)))).toThrow(/nested more than 200/);
    expect(() => jsonIn(bytes(`{"a":${'9'.repeat(5000)}}`))).toThrow(/too large/);
  });

  test('bytes that are no text are refused', () => {
    expect(() => jsonIn(Uint8Array.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
  });
});
