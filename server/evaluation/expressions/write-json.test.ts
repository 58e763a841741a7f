import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serializeJson, LargeJsonText } from './large-json';
import { isSmallJson, writeJsonInTurns } from './write-json';

async function written(value: unknown): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of writeJsonInTurns(value)) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('a value of any size is written like jsonOf writes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 20 }), async (one, many) => {
      const value = {
        one,
        many,
        none: undefined,
        time: new Date(0),
        large: new LargeJsonText('{"a":[1,2]}'),
        lists: Array.from({ length: 300 }, () => [one, many, undefined]),
        objects: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`name${at}`, many])),
      };
      expect(await written(value)).toBe(serializeJson(value));
    }),
    { numRuns: 30 },
  );
});

it.each(['\ud83d\ude00', '"', 'é', 'a\ud800', '\u0000'])(
  'a long text of %j is written like jsonOf writes it',
  async (unit) => {
    const texts = { a: unit.repeat(70_000), b: `x${unit.repeat(70_000)}`, c: [unit.repeat(200_000)] };
    expect(isSmallJson(texts)).toBe(false);
    expect(await written(texts)).toBe(serializeJson(texts));
    const passed = { value: new LargeJsonText(JSON.stringify(texts)) };
    expect(await written(passed)).toBe(serializeJson(passed));
  },
);

it('names stay names, whatever they mean to JavaScript', async () => {
  const value = JSON.parse(`{"__proto__":1,"7":2,"b":"${'x'.repeat(70_000)}","constructor":{},"1":3}`) as unknown;
  expect(await written(value)).toBe(serializeJson(value));
});

it.each([0, null, true, '', [], {}, [[]], [undefined]])('%j is small', async (value) => {
  expect(isSmallJson(value)).toBe(true);
  expect(await written(value)).toBe(JSON.stringify(value));
});
