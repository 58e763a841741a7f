import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertAll, deflatedZip, failureOf, fixture } from './testing/convert';
import { BYTES_PER_MIB } from '@/contract/units';

// A second of CPU time for a conversion.
useEvaluation({ evaluationCpuMs: 12.5 });

const zeros = (mib: number) => Buffer.alloc(mib * BYTES_PER_MIB);
const EXPANDS = /^EXPANSION_LIMIT: .* expands to more than 100 times its size/;
const TOO_FAR = /^EXPANSION_LIMIT: .* expands to more than 50 MiB/;

it('ends what expands too far, regardless of the size that it states', async () => {
  const bomb = deflatedZip({ 'a.txt': zeros(30), 'b.txt': zeros(30) });
  expect(await failureOf(converted('zip', 'file', bomb))).toMatch(EXPANDS);
  expect(await failureOf(converted('gzip', 'text', gzipSync(zeros(60))))).toMatch(EXPANDS);
  expect(await failureOf(converted('zip', 'file', archiveOf('a.txt', zeros(60), 100)))).toMatch(
    /^(EXPANSION_LIMIT|CONVERT_FAILED)/,
  );
  const sheet = deflatedZip({ 'xl/workbook.xml': zeros(30), 'xl/worksheets/sheet1.xml': zeros(30) });
  expect(await failureOf(converted('xlsx', 'json', sheet))).toMatch(EXPANDS);
});

it('limits by the size of the source, beyond a MiB, and by bytes', async () => {
  expect(await failureOf(converted('gzip', 'base64', gzipSync(zeros(2))))).toMatch(EXPANDS);
  expect(String(await converted('gzip', 'text', gzipSync(Buffer.alloc(BYTES_PER_MIB, 'a'))))).not.toMatch(
    /EXPANSION_LIMIT/,
  );
  // Some 60 times its size.
  const line = Buffer.concat([randomBytes(1000), Buffer.alloc(64_000)]);
  const long = gzipSync(Buffer.concat(Array.from({ length: 850 }, () => line)), { level: 1 });
  expect(
    await failureOf(converted('gzip', 'base64', Buffer.concat([long, gzipSync(randomBytes(BYTES_PER_MIB))]))),
  ).toMatch(TOO_FAR);
});

it('limits the files of an archive, and notices damage', async () => {
  const many = zipSync(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}`, new Uint8Array(1)])));
  expect(await failureOf(converted('zip', 'file', Buffer.from(many)))).toBe(
    'TOO_MANY_FILES: The archive has more than 1000 files.',
  );
  const damaged = Buffer.from(zipSync({ 'a.txt': Buffer.from('content') }, { level: 0 }));
  damaged.write('C', damaged.indexOf('content'));
  expect(await failureOf(converted('zip', 'file', damaged))).toMatch(/^CONVERT_FAILED: .*checksum/);
});

it('limits results: values to 10 MiB, files to 50 MiB', async () => {
  const rows = `a\n${'x'.repeat(1000)}\n`.repeat(11_000);
  expect(await failureOf(converted('csv', 'json', rows))).toMatch(/^OUTPUT_TOO_LARGE: .*options\.asFile/);
  expect((await converted('csv', 'json', rows, { asFile: true })) as Buffer).toHaveProperty('length');
  const wide = Buffer.from(`${'name_of_a_column,'.repeat(500)}\n${`${'1,'.repeat(500)}\n`.repeat(10_000)}`);
  expect(await failureOf(converted('csv', 'ndjson', wide, { asFile: true }))).toMatch(/^(TOO_LARGE|CONVERT_TIMEOUT)/);
});

it('does not expand entities, and limits nesting', async () => {
  const entities = Array.from({ length: 10 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`);
  const laughs = `<!DOCTYPE r [<!ENTITY e0 "ha">${entities.join('')}]><r>&e10;</r>`;
  expect(await converted('xml', 'json', laughs)).toEqual({ r: '&e10;' });
  const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>';
  expect(JSON.stringify(await converted('xml', 'json', external).catch(String))).not.toContain('root:');
  const deep = 100_000;
  expect(await failureOf(converted('xml', 'json', '<a>'.repeat(deep) + '</a>'.repeat(deep)))).toMatch(
    /^CONVERT_FAILED/,
  );
  expect(await failureOf(converted('text', 'json', '['.repeat(deep) + ']'.repeat(deep)))).toMatch(
    /^CONVERT_FAILED: .*nested/,
  );
  expect(await failureOf(converted('html', 'text', '<div>'.repeat(deep)))).toMatch(/^CONVERT_(FAILED|TIMEOUT)/);
  expect(await failureOf(converted('html', 'markdown', '<b>'.repeat(deep)))).toMatch(
    /^CONVERT_(FAILED|TIMEOUT|MEMORY)/,
  );
  expect(await failureOf(converted('markdown', 'html', '>'.repeat(deep)))).toMatch(/^CONVERT_(FAILED|TIMEOUT)/);
});

const SLOW = {
  from: 'html',
  to: 'json',
  value: '<i>x</i>'.repeat(30_000),
  options: { select: { a: { css: 'i.a ~ i ~ i ~ i', all: true } } },
} as const;

it('ends what takes too long; meanwhile the conversions of another workspace are done', async () => {
  const attacks = Array.from({ length: 2 }, () => failureOf(convertAll({ ...SLOW, workspaceId: 'ws_attacker' })));
  const done = await convertAll({ from: 'csv', to: 'json', value: 'a\n1', workspaceId: 'ws_other' });
  expect(done).toEqual({ value: [{ a: '1' }] });
  expect(await attacks[0]).toBe('CONVERT_TIMEOUT: The conversion took more than 1000 ms of CPU time.');
  await Promise.all(attacks);
  expect(await converted('pdf', 'json', fixture('invoice.pdf'))).toHaveLength(2);
});

/** An archive with one file that claims to have `stated` bytes. */
function archiveOf(name: string, content: Buffer, stated: number): Buffer {
  const honest = deflatedZip({ [name]: content });
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  for (let at = honest.indexOf(size); at >= 0; at = honest.indexOf(size, at + 1)) honest.writeUInt32LE(stated, at);
  return honest;
}
