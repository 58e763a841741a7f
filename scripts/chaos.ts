// `npm run chaos -- --minutes 5 --seed 1 [--redis]`: the service under load, with processes, connections and the
// database killed at random, then checks the guarantees against the observed history. Exit code 1 for a violation.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chaos } from '../server/testing/chaos/chaos';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    redis: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
process.stdout.write(`Chaos for ${values.minutes} minutes, seed ${seed}${values.redis ? ', with Redis' : ''} …\n`);
const milliseconds = Number(values.minutes) * 60_000;
const { history, rest, violations } = await chaos({ seed, milliseconds, workers: 3, withRedis: values.redis });

mkdirSync('test-results', { recursive: true });
const file = `test-results/chaos-${seed}.jsonl`;
writeFileSync(file, history.map((one) => `${JSON.stringify(one)}\n`).join(''));

const count = (list: string[]) =>
  [...new Set(list)].sort().map((word) => `${word} ${list.filter((one) => one === word).length}`);
const kinds = count(history.map(({ kind }) => kind));
const faults = count(history.flatMap((one) => (one.kind === 'fault' ? one.what : [])));
const ends = count(rest.executions.map(({ status, error }) => (error ? `${status} (${error.code})` : status)));
process.stdout.write(`Happened: ${kinds.join(', ')}\nFaults: ${faults.join(', ')}\nRuns: ${ends.join(', ')}\n`);
process.stdout.write(
  violations.length === 0 ? 'Every promise was kept.\n' : `BROKEN:\n${violations.map((one) => `  ${one}\n`).join('')}`,
);
process.stdout.write(`The history is in ${file}\n`);
process.exitCode = violations.length === 0 ? 0 : 1;
