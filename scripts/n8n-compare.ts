// `npm run n8n:compare -- <folder or file> … [--n8n <folder>] [--record]`: runs workflows of n8n in a real n8n and, imported,
// in Weft, and compares what each node gives. n8n is installed from the package registry into a temporary folder, unless
// one is named. `--record`: writes what n8n gives into files with cases instead. `--all`: also lists what is equal.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns, listComparedWorkflows, writeComparison, type Comparison } from './n8n/compare';
import { installN8n } from './n8n/install';
import { startRealN8n } from './n8n/real-n8n';
import { recordCases } from './n8n/record';
import { startWeftRunner } from './n8n/weft';

const CONCURRENCY = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { n8n: { type: 'string' }, record: { type: 'boolean' }, all: { type: 'boolean' } },
});
const say = (text: string) => process.stdout.write(`${text}\n`);

const installation = installN8n(values.n8n ?? path.join(tmpdir(), 'weft-n8n'));
say(`n8n ${installation.version}, expressions are evaluated by the engine “${installation.engine}”`);
const n8n = await startRealN8n(installation);
try {
  if (values.record) for (const file of positionals) say(`${file}: ${await recordCases(n8n, file)} cases`);
  else await compareAll();
} finally {
  await n8n.stop();
}

async function compareAll(): Promise<void> {
  const weft = await startWeftRunner();
  const waiting = positionals.flatMap(listComparedWorkflows);
  const total = waiting.length;
  const found: Comparison[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const comparison = compareRuns(next, await n8n.run(next.exported), await weft.run(next.exported));
      found.push(comparison);
      if (values.all || comparison.kind !== 'equal') say(writeComparison(next, comparison));
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    await weft.close();
  }
  const count = (isCounted: (one: Comparison) => boolean) => found.filter(isCounted).length;
  const equal = count(({ kind }) => kind === 'equal');
  const failed = count(({ kind }) => kind === 'n8n failed');
  const silent = count((one) => one.kind === 'different' && !one.isReported);
  say(`${equal} of ${total - failed} equal, ${total - failed - equal} different, ${silent} of them not reported`);
}
