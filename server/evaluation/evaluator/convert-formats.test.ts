import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertedHere, failureOf, fixture, spreadsheet } from './testing/convert';

useEvaluation();

/** Texts with what is markup in some format. */
const cell = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('|', '\\', '*', '_', '<b>', '&amp;', '&', '~', '`', '[a](b)', ' ', 'x', '1'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
    ),
  })
  .map((text) => text.replaceAll(/\s+/g, ' ').trim());
const table = fc
  .integer({ min: 1, max: 3 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }));

describe('a table shows its texts', () => {
  const shown = async (html: unknown) =>
    (
      (await convertedHere('html', 'json', html, { select: { cells: { css: 'td', all: true } } })) as {
        cells: string[];
      }
    ).cells;
  it('as HTML, and as Markdown that becomes HTML', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const named = rows.map((cells) => Object.fromEntries(cells.map((text, index) => [`c${index}`, text])));
        expect(await shown(await convertedHere('json', 'html', named))).toEqual(rows.flat());
        const markdown = await convertedHere('json', 'markdown', named);
        expect(await shown(await convertedHere('markdown', 'html', markdown))).toEqual(rows.flat());
      }),
    );
  });
});

/** Whole numbers that a double cannot hold come back as texts, like all that come from outside. */
const json = fc.array(fc.jsonValue({ maxDepth: 3 })).filter((values) => !/\d{16}/.test(JSON.stringify(values)));

describe('what is written is read back as it was', () => {
  it('JSON, NDJSON, Base64, gzip', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (values) => {
        const same = JSON.parse(JSON.stringify(values)) as unknown[];
        expect(await convertedHere('text', 'json', await convertedHere('json', 'text', values))).toEqual(same);
        expect(await convertedHere('ndjson', 'json', await convertedHere('json', 'ndjson', values))).toEqual(same);
        expect(await convertedHere('gzip', 'json', await convertedHere('json', 'gzip', values))).toEqual(same);
        expect(await convertedHere('base64', 'json', await convertedHere('json', 'base64', values))).toEqual(same);
      }),
    );
  });
});

describe('files that are cut off or have another format are failures in words', () => {
  const zip = Buffer.from(zipSync({ 'a.txt': strToU8('x'.repeat(5000)), 'b.txt': strToU8('y') }));
  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'half a gzip',
      () => converted('gzip', 'text', gzipSync('x'.repeat(9999)).subarray(0, 30)),
      /The gzip file is cut off/,
    ],
    ['no gzip', () => converted('gzip', 'text', Buffer.from('text')), /The file is not gzip/],
    [
      'half an archive',
      () => converted('zip', 'file', zip.subarray(0, zip.length - 40)),
      /The archive is cut off or not a ZIP archive/,
    ],
    [
      'half a spreadsheet',
      () => converted('xlsx', 'json', spreadsheet('<row/>').subarray(0, 700)),
      /The spreadsheet is cut off or not a ZIP archive/,
    ],
    ['half a PDF', () => converted('pdf', 'text', fixture('invoice.pdf').subarray(0, 600)), /cannot be read as PDF/],
    ['half of Base64', () => converted('base64', 'file', 'abcde'), /not Base64: it is cut off/],
    [
      'half of XML',
      () => converted('xml', 'json', '<a>\n<b>x'),
      /not XML: it is cut off, or the elements a, b are never closed \(line 2/,
    ],
    ['half of JSON', () => converted('text', 'json', '{"a": [1,'), /not JSON/],
    ['half a line of NDJSON', () => converted('ndjson', 'json', '{"a":1}\n{"a":'), /Line 2 is not JSON/],
    [
      'a picture as text',
      () => converted('file', 'text', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
      /a picture \(PNG\), not text/,
    ],
    ['a spreadsheet as XML', () => converted('xml', 'json', spreadsheet('')), /a ZIP archive, such as a spreadsheet/],
  ])('%s', async (_, running, message) =>
    expect(await failureOf(running())).toMatch(new RegExp(`^CONVERT_FAILED: .*${message.source}`)),
  );

  it('an archive inside of an archive is a file of it', async () => {
    const outer = Buffer.from(zipSync({ 'inner.zip': zip }));
    expect(await convertedHere('zip', 'file', outer)).toEqual([{ name: 'inner.zip', content: zip }]);
  });
});
