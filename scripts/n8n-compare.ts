// `npm run n8n:compare -- <folder or file> … [--n8n <folder>] [--record]`: runs workflows of n8n in a real n8n and, imported,
// in Weft, and compares what each node gives. n8n is installed from the package registry into a temporary folder, unless
// one is named. `--record <file>`: writes the workflows with what n8n gives into a file of cases instead. `--recorded`:
// takes what was recorded and does not start n8n. `--all`: also lists what is equal.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  compareRuns,
  isCalledCaseFile,
  listComparedWorkflows,
  writeComparison,
  type ComparedWorkflow,
  type Comparison,
} from './n8n/compare';
import { startAnswerServer } from '@/server/testing/n8n-answers';
import { installN8n } from './n8n/install';
import { startRealN8n, type N8nRun, type RealN8n } from './n8n/real-n8n';
import { recordCalledCases, recordCases } from './n8n/record';
import { startWeftRunner } from './n8n/weft';

const CONCURRENCY = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n8n: { type: 'string' },
    record: { type: 'string' },
    recorded: { type: 'boolean' },
    all: { type: 'boolean' },
  },
});
const say = (text: string) => process.stdout.write(`${text}\n`);

const workflows = positionals.flatMap(listComparedWorkflows);
const answers = await startAnswerServer();
const n8n = values.recorded ? undefined : await startInstalledN8n();
try {
  if (values.record && n8n) await recordAll(n8n, values.record);
  else await compareAll();
} finally {
  await n8n?.stop();
  await answers.close();
}

async function startInstalledN8n(): Promise<RealN8n> {
  const installation = installN8n(values.n8n ?? path.join(tmpdir(), 'weft-n8n'));
  say(`n8n ${installation.version}, expressions are evaluated by the engine “${installation.engine}”`);
  return startRealN8n(installation);
}

async function recordAll(running: RealN8n, file: string): Promise<void> {
  if (isCalledCaseFile(file)) {
    say(`${file}: ${await recordCalledCases(running, file)} cases`);
    return;
  }
  const isOwn = positionals.length === 1 && positionals[0] === file;
  const cases = workflows.map(({ exported }) => ({ workflow: exported as { name: string }, items: {} }));
  say(`${file}: ${await recordCases(withAnswers(running), file, isOwn ? undefined : cases)} cases`);
}

/** The same n8n, whose workflows reach the server of the cases. */
function withAnswers({ run, stop }: RealN8n): RealN8n {
  return { run: async (workflow) => run(answers.place(workflow)), stop };
}

async function runInN8n({ name, exported, recorded }: ComparedWorkflow): Promise<Pick<N8nRun, 'items' | 'failure'>> {
  if (n8n) return n8n.run(answers.place(exported));
  if (!recorded) throw new Error(`${name}: nothing is recorded`);
  return recorded;
}

async function compareAll(): Promise<void> {
  const weft = await startWeftRunner();
  const waiting = [...workflows];
  const found: Comparison[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const comparison = compareRuns(next, await runInN8n(next), await weft.run(answers.place(next.exported)));
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
  say(
    `${equal} of ${found.length - failed} equal, ${found.length - failed - equal} different, ${silent} of them not reported`,
  );
}
