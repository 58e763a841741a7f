// `npm run bench:convert`: how long conversions of large contents take, from the bytes of the source to those of the
// result.
import type { ConversionFormat } from '../contract/workflows/conversions';
import type { ConvertOptions } from '../server/evaluation/evaluator/convert-job';
import { closeEvaluation, runConversion } from '../server/evaluation/evaluator/evaluation';
import { setRuntime, type Runtime } from '../server/platform/runtime';
import { testEnv } from '../server/testing/database';
import { buildEvaluator } from '../scripts/build.mjs';
import { percentiles } from './load';
import { BYTES_PER_MIB } from '../contract/units';

const ROUNDS = 5;

/** Ten columns, as an export of orders has. */
function orders(bytes: number): Buffer {
  const lines = ['id,name,mail,city,street,total,currency,paid,date,note'];
  for (let n = 1, size = 0; size < bytes; n += 1) {
    const line = `${n},Person ${n},person${n}@example.com,Berlin,"Main Street ${n}, left",${n}.95,EUR,true,2026-01-31,"said ""hi"" ${n}"`;
    lines.push(line);
    size += line.length + 1;
  }
  return Buffer.from(lines.join('\n'));
}

async function convert(
  from: ConversionFormat,
  to: ConversionFormat,
  content: Buffer,
  options: ConvertOptions,
): Promise<Buffer> {
  const conversion = { from, to, options, source: 'file' } as const;
  const result = await runConversion(conversion, [content], { isFile: true, workspaceId: 'ws_bench' });
  return 'files' in result ? (result.files[0]?.content ?? Buffer.alloc(0)) : Buffer.alloc(0);
}

await buildEvaluator();
setRuntime({ env: testEnv() } as Runtime);
const csv = orders(10 * BYTES_PER_MIB);
const json = await convert('csv', 'json', csv, { asFile: true });
const small = orders(2 * BYTES_PER_MIB);
const cases: [string, ConversionFormat, ConversionFormat, Buffer, ConvertOptions][] = [
  ['10 MiB of CSV to NDJSON', 'csv', 'ndjson', csv, { asFile: true }],
  ['the same with types', 'csv', 'ndjson', csv, { asFile: true, types: true }],
  ['10 MiB of CSV to JSON', 'csv', 'json', csv, { asFile: true }],
  ['that JSON to CSV', 'json', 'csv', json, { asFile: true }],
  ['2 MiB of CSV to xlsx', 'csv', 'xlsx', small, {}],
  ['that xlsx to JSON', 'xlsx', 'json', await convert('csv', 'xlsx', small, {}), { asFile: true }],
  ['10 MiB of CSV to gzip', 'csv', 'gzip', csv, {}],
];
for (const [title, from, to, content, options] of cases) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await convert(from, to, content, options);
    times.push(performance.now() - begun);
  }
  const { p50 } = percentiles(times);
  process.stdout.write(`${title}: p50 ${Math.round(p50)} ms, slowest ${Math.round(Math.max(...times))} ms\n`);
}
closeEvaluation();
