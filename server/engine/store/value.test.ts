import { describe, expect, it } from 'vitest';
import {
  FILE_SEARCH_PIECE,
  hasTooManyFiles,
  hasTooManyFilesInPieces,
  MAX_FILES_PER_VALUE,
  toStorableText,
  normalizeValue,
} from './value';

const nested = (depth: number) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

describe('storedValue', () => {
  it('returns the value as it is stored', () => {
    expect(normalizeValue({ at: new Date(0), gone: undefined, list: [undefined, Number.NaN] }).value).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      list: [null, null],
    });
    expect(normalizeValue(undefined)).toEqual({ json: 'null', value: null });
    expect(normalizeValue('\u0000 \ud800').value).toBe('\u0000 \ud800');
    expect(Object.keys(normalizeValue(JSON.parse('{"__proto__": 1}')).value as object)).toEqual(['__proto__']);
  });

  it('refuses values that are too large, too deep or not JSON', () => {
    expect(() => normalizeValue('x'.repeat(11 * 1024 * 1024))).toThrow(
      expect.objectContaining({ code: 'OUTPUT_TOO_LARGE' }),
    );
    expect(() => normalizeValue(nested(1001))).toThrow(expect.objectContaining({ code: 'OUTPUT_TOO_DEEP' }));
    expect(() => normalizeValue(nested(1_000_000))).toThrow(expect.objectContaining({ code: 'OUTPUT_TOO_DEEP' }));
    expect(() => normalizeValue(1n)).toThrow(expect.objectContaining({ code: 'OUTPUT_NOT_JSON' }));
    expect(normalizeValue(nested(1000)).json).toHaveLength(2001);
    expect(normalizeValue(`["\\"${'['.repeat(3000)}`).value).toContain('[[[');
  });
});

describe('storedText', () => {
  it('removes characters that a text column can not hold', () => {
    expect(toStorableText('a\u0000b\ud800')).toBe('ab\ufffd');
    expect(toStorableText('long text', 5)).toBe('long…');
  });
});

describe('files that a value names', () => {
  const named = (count: number, key = '"$file"') =>
    `[${Array.from({ length: count }, () => `{${key}:"a"}`).join(',')}]`;

  it.each([0, 1, MAX_FILES_PER_VALUE, MAX_FILES_PER_VALUE + 1])(
    'are counted once each, also between pieces: %i',
    async (count) => {
      for (const key of ['"$file"', '"\\u0024\\u0066\\u0069\\u006C\\u0065"']) {
        const files = named(count, key);
        // The first ones stand around the end of a piece.
        for (let before = 0; before <= key.length + 4; before += 1) {
          const json = `${' '.repeat(FILE_SEARCH_PIECE - before)}${files}`;
          expect(await hasTooManyFilesInPieces(json)).toBe(count > MAX_FILES_PER_VALUE);
          expect(hasTooManyFiles(json)).toBe(count > MAX_FILES_PER_VALUE);
        }
      }
    },
  );
});
