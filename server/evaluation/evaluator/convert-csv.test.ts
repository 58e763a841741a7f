import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertedHere, failureOf } from './testing/convert';

useEvaluation();

it('reads CSV as people save it', async () => {
  expect(await converted('csv', 'json', 'size,name\n12" bolt,a "b"\n7,"y, ""z"""')).toEqual([
    { size: '12" bolt', name: 'a "b"' },
    { size: '7', name: 'y, "z"' },
  ]);
  expect(await converted('csv', 'json', 'sep=;\r\nPreis;Name\r\n1,50;Ä\r\n;\r\n')).toEqual([
    { Preis: '1,50', Name: 'Ä' },
  ]);
  const utf16 = Buffer.from('Preis\tName\r\n1\tÄ\r\n', 'utf16le');
  expect(await converted('csv', 'json', utf16)).toEqual([{ Preis: '1', Name: 'Ä' }]);
  expect(await converted('csv', 'json', 'Report, of 2024\n\nid;v\n1;2\n', { headerRow: 3 })).toEqual([
    { id: '1', v: '2' },
  ]);
  expect(await failureOf(converted('csv', 'json', 'a\n\nb', { headerRow: 2 }))).toMatch(/options.headerRow: row 2/);
  expect(await converted('csv', 'json', 'n\n-0\n1e400\nNaN\n1e5', { types: true })).toEqual([
    { n: '-0' },
    { n: '1e400' },
    { n: 'NaN' },
    { n: 100_000 },
  ]);
});

it('names the place of what it cannot read', async () => {
  const mixed = Buffer.concat([Buffer.from('a;b\nü;1\n'), Buffer.from([0xfc]), Buffer.from(';2\n')]);
  expect(await failureOf(converted('csv', 'json', mixed))).toMatch(/The byte 0xFC in line 3, column 1 is not UTF-8/);
  expect(await failureOf(converted('csv', 'json', Buffer.from([0x61, 0x81]), { encoding: 'shift_jis' }))).toMatch(
    /The last character in line 1, column 2 is not shift_jis/,
  );
  expect(await failureOf(converted('csv', 'json', 'a\n1\n"x\ny'))).toMatch(/never closed \(line 3\)/);
});

it('keeps the order of columns in files, whatever their names are', async () => {
  const table = 'name,2024,2023,01\nx,1,2,3\n';
  expect(await converted('csv', 'markdown', table)).toContain('| name | 2024 | 2023 | 01 |');
  expect(String(await converted('csv', 'json', table, { asFile: true }))).toBe(
    '[{"name":"x","2024":"1","2023":"2","01":"3"}]',
  );
  const lines = Buffer.from((await converted('csv', 'ndjson', table)) as string);
  expect(await converted('ndjson', 'csv', lines)).toBe(table);
  expect(await converted('json', 'csv', '[{"name":"x","2024":{"b":1,"2":[{"7":1}]},"\\"2\\":":1},{"2022":null}]')).toBe(
    'name,2024,"""2"":",2022\nx,"{""2"":[{""7"":1}],""b"":1}",1,\n"",,,\n',
  );
  expect(await converted('json', 'csv', [{ name: 'x', 2024: 1, 2023: 2 }], { columns: ['name', '2024', '2023'] })).toBe(
    'name,2024,2023\nx,1,2\n',
  );
});

it('takes a time that grows with the text, not with its square', async () => {
  const header = Array.from({ length: 200_000 }, (_, index) => (index % 2 ? 'x' : '')).join(';');
  const [row] = (await converted('csv', 'json', `${header}\n1;2`)) as Record<string, string>[];
  expect(Object.keys(row ?? {})).toHaveLength(200_000);
});

it('reads JSON whose numbers and names are unusual', async () => {
  expect(await converted('text', 'json', '{"a":1e400,"b":-1E+999,"c":"1e400","a":[1e400,1e3]}')).toEqual({
    a: ['1e400', 1000],
    b: '-1E+999',
    c: '1e400',
  });
  expect(await failureOf(converted('text', 'json', '{"a":NaN}'))).toMatch(/^CONVERT_FAILED: The text is not JSON: .*N/);
  expect(await failureOf(converted('text', 'json', '[1e400,'))).toMatch(/^CONVERT_FAILED: The text is not JSON/);
});

it('reads back what it writes', async () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r', ' ', '1', '\ufeff', '=', 'ü') }),
    fc.string({ unit: 'grapheme' }),
  );
  const name = fc.oneof(cell, fc.constantFrom('2024', '7', '__proto__', 'sep=;')).filter((one) => one !== '');
  const table = fc
    .uniqueArray(name, { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc
        .array(fc.array(cell, { minLength: names.length, maxLength: names.length }), { minLength: 1, maxLength: 5 })
        .map((rows) =>
          rows.map((cells) => Object.fromEntries(names.map((one, index) => [one, cells[index]] as const))),
        ),
    );
  const encodings = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'gb18030');
  await fc.assert(
    fc.asyncProperty(table, encodings, fc.boolean(), async (rows, encoding, bom) => {
      const file = await convertedHere('json', 'csv', rows, { asFile: true, outputEncoding: encoding, bom });
      // The delimiter is named: a header of quotes and delimiters can be read in several ways, of which the reader has
      // to guess one.
      expect(await convertedHere('csv', 'json', file, { encoding, delimiter: ',' })).toEqual(rows);
      const plain = await convertedHere('json', 'csv', rows);
      expect(await convertedHere('csv', 'json', plain, { delimiter: ',' })).toEqual(rows);
    }),
  );
});
