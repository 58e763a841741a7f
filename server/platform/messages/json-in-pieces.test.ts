import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonInPieces, type JsonParseLimits } from './json-in-pieces';

const NO_LIMITS: JsonParseLimits = { depth: Infinity, values: Infinity, fields: Infinity };

const parse = (text: string, pieceSize = 1, limits: Partial<JsonParseLimits> = {}, check = () => undefined as void) =>
  parseJsonInPieces(
    text,
    { ...NO_LIMITS, ...limits },
    { parse: JSON.parse, check, exceeded: (limit) => new RangeError(limit), pieceSize },
  );

const outcomeOf = (text: string): unknown => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'not JSON';
  }
};
const outcomeInPieces = (text: string, pieceSize: number) =>
  parse(text, pieceSize).then(
    (value) => ({ value }),
    (error: unknown) => {
      if (error instanceof SyntaxError) return 'not JSON';
      throw error;
    },
  );

describe('a text is parsed as JSON.parse does', () => {
  test('whatever the size of a piece', async () => {
    const anything = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });
    await fc.assert(
      fc.asyncProperty(anything, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (value, size, isSpread) => {
        const text = JSON.stringify(value, null, isSpread ? 2 : 0);
        expect(JSON.stringify(await parse(text, size))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('damaged or not', async () => {
    const parts = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"a"',
      '"b,]"',
      '"\\""',
      '1',
      'null',
      ' ',
      '-',
      '"',
      '\\',
    );
    const broken = fc.array(parts, { maxLength: 24 }).map((list) => list.join(''));
    const nearly = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.nat(), parts).map(([value, at, part]) => {
      const text = JSON.stringify(value);
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + part + text.slice(cut + (at % 2));
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(broken, nearly), fc.integer({ min: 1, max: 4 }), async (text, size) => {
        expect(await outcomeInPieces(text, size)).toEqual(outcomeOf(text));
      }),
    );
  });

  test.each([
    '{"a":1,"a":{"b":[1,2]},"a":3,"__proto__":{"x":[1,2,3]},"0":1}',
    '[[1,2],[3,4],]',
    '[1,2,3],[4]',
    '[[1,2]3,4]',
    '{"a":[1,2] "b":[3,4],"c":5}',
    '{"a":1,[1,2]}',
    '[{"a":null,"b":-{"c":null,"d":0}}]',
    '[{"a":null,"b":1{"c":null,"d":0}}]',
    '[1,2]]',
    '{"a":[1,2],}',
    '["\\u005d,",{"b]":"}"},2]',
  ])('%s', async (text) => {
    expect(await outcomeInPieces(text, 1)).toEqual(outcomeOf(text));
  });
});

test('no piece has more values than the size of one', async () => {
  const text = JSON.stringify({ rows: Array.from({ length: 300 }, (_, index) => ({ index, tags: [1, 2, 3] })) });
  const sizes: number[] = [];
  const value = await parseJsonInPieces(text, NO_LIMITS, {
    parse: JSON.parse,
    check: (piece) => void sizes.push(JSON.stringify(piece).split(/[,[{]/).length),
    exceeded: () => new RangeError(),
    pieceSize: 50,
  });
  expect(value).toEqual(JSON.parse(text));
  expect(sizes.length).toBeGreaterThan(20);
  expect(Math.max(...sizes)).toBeLessThan(60);
});

test.each<[keyof JsonParseLimits, string, string]>([
  ['depth', '[[[1,2]]]', '[[[[1,2]]]]'],
  ['values', '[1,2,3]', '[1,2,3,4,5]'],
  ['fields', '{"a":1,"b":2}', '{"a":1,"b":2,"c":3}'],
])('the limit of %s', async (limit, within, beyond) => {
  const most = { depth: 2, values: 4, fields: 2 }[limit];
  await expect(parse(within, 100, { [limit]: most })).resolves.toEqual(JSON.parse(within));
  await expect(parse(beyond, 100, { [limit]: most })).rejects.toThrow(limit);
});
