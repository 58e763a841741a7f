import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ConversionFormat } from '@/contract/workflows/conversions';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertedHere, failureOf, fixture, spreadsheet } from './testing/convert';

useEvaluation();

const zip = Buffer.from(zipSync({ 'a.txt': strToU8('first '.repeat(40)), 'b.csv': strToU8('x;y\n1;2\n') }));
const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" s="1"><v>45292.5</v></c></row>';
const eml =
  'From: a@example.com\r\nSubject: =?utf-8?B?w4Q=?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--';

const DOCUMENTS: [ConversionFormat, ConversionFormat, Buffer][] = [
  ['xlsx', 'json', fixture('orders.xlsx')],
  ['xlsx', 'csv', spreadsheet(rows, { texts: ['<t>when</t>'], formats: [22] })],
  ['zip', 'file', zip],
  ['gzip', 'text', gzipSync('text with ä and 𝟘 '.repeat(20))],
  ['pdf', 'text', fixture('invoice.pdf')],
  ['xml', 'json', Buffer.from('<?xml version="1.0"?>\n<a b="c &amp; d"><!-- x --><e>1</e><![CDATA[<]]></a>')],
  ['csv', 'json', Buffer.from('name;total\n"Zoë ""A""";1\nB;"2\n3"\n')],
  ['ndjson', 'json', Buffer.from('{"a":"ä"}\n{"a":[1,{"b":null}]}\n')],
  ['html', 'markdown', Buffer.from('<table><tr><td>ä<td>2</table><p>x &lt; y</p><script>x</script>')],
  ['markdown', 'html', Buffer.from('# ä\n\n| a | b |\n|---|---|\n| [x](y) | `z` |\n')],
  ['eml', 'text', Buffer.from(eml)],
];

/**
 * Parts of a document of any length, and the document with single bytes changed, at places that are the same in each
 * run.
 */
function damaged(whole: Buffer): Buffer[] {
  const at = (part: number) => Math.floor((whole.length * part) / 16);
  const cut = Array.from({ length: 16 }, (_, part) => whole.subarray(0, at(part)));
  const changed = Array.from({ length: 16 }, (_, part) => {
    const copy = Buffer.from(whole);
    const place = (at(part) + 7 * part) % whole.length;
    copy[place] = (copy[place] ?? 0) ^ (1 + 37 * part);
    return copy;
  });
  return [...cut, whole.subarray(3), Buffer.concat([whole, whole]), ...changed];
}

describe('a document that is cut off or damaged is read, or refused in a sentence', () => {
  it.each(DOCUMENTS)('%s to %s', async (from, to, whole) => {
    for (const document of damaged(whole)) {
      const failure = await convertedHere(from, to, document).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) continue;
      // Anything else would be a fault of the service.
      expect(failure).toBeInstanceOf(NodeFailure);
      const { code, message } = failure as NodeFailure;
      expect(code).toMatch(/^(?:CONVERT_FAILED|EXPANSION_LIMIT|TOO_LARGE|TOO_MANY_FILES)$/);
      expect(message).toMatch(/^[A-Z"].{10,}/s);
      expect(message).not.toMatch(/undefined|is not a function|Cannot read|not iterable|\bat .+:\d+/);
    }
  });
});

describe('a failure names its place', () => {
  it.each<[string, ConversionFormat, Buffer, RegExp]>([
    [
      'UTF-8 with a part in windows-1252',
      'csv',
      Buffer.concat([Buffer.from('name\nZoë\n'), Buffer.from('Jos\xe9\n', 'latin1')]),
      /line 3, column 4/,
    ],
    ['UTF-16 with half a character', 'csv', Buffer.from('\ufeffa\nb', 'utf16le').subarray(0, 7), /cut off|line 2/],
    ['XML that ends in an element', 'xml', Buffer.from('<a>\n  <b>x</b>\n  <c'), /line 3/],
    ['a quote that never ends', 'csv', Buffer.from('a,b\n1,2\n3,"4\n5,6\n'), /line 3/],
  ])('%s', async (_, from, document, place) =>
    expect(await failureOf(converted(from, 'json', document))).toMatch(place),
  );
});

it('reads a table of 200,000 columns, or says how many are too many', { tags: 'long' }, async () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `c${index}`).join();
  const wide = Buffer.from(`${names}\n${'1,'.repeat(199_999)}1\n`);
  const read = (await converted('csv', 'json', wide)) as Record<string, string>[];
  expect([read.length, Object.keys(read[0] ?? {}).length]).toEqual([1, 200_000]);
  expect(await failureOf(converted('csv', 'xlsx', wide))).toMatch(/^CONVERT_FAILED: .*16,?384 columns/);
});
