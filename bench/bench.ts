// Compares the service with bare reference programs in the same run. Absolute figures depend on the machine; the ratios
// to the reference are comparable.
// `npm run bench [-- --quick] [-- --only abc] [-- --json FILE]`
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startRedis } from '../server/testing/servers/redis';
import { percentiles } from './load';
import { Scene, type Figures } from './scene';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, json: { type: 'string' } },
});
const scale = options.quick ? 0.1 : 1;
const some = (count: number) => Math.max(20, Math.round(count * scale));
/** Rounds per target. Service and reference run in turns; the median pair counts. */
const ROUNDS = options.quick ? 1 : 3;

/**
 * The flags that `npm start` uses. Runs in progress outlive a small young generation, and copying them costs about 10 %
 * of the time.
 */
const SERVICE = ['--max-semi-space-size=32', 'dist/server.mjs'];
/** With the process that `npm start` runs beside it. */
const SUPERVISED = ['dist/supervisor.mjs'];
const REFERENCE = ['--import', 'tsx', 'bench/reference.ts'];
const NEXT = ['--import', 'tsx', 'bench/next.ts'];

const results: Record<string, Figures> = {};

/** Stores and prints the figures of one measurement. */
function tell(name: string, figures: Figures): void {
  results[name] = figures;
  const columns = Object.entries(figures).map(([key, value]) => `${key} ${round(value)}`);
  process.stdout.write(`${name.padEnd(44)} ${columns.join('  ')}\n`);
}
const round = (value: number) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const title = (text: string) => process.stdout.write(`${text}\n`);
const share = (one: number | undefined, other: number | undefined) => (one ?? Number.NaN) / (other ?? Number.NaN);

const scene = await Scene.open();

/** Measures service and reference in turns. Returns the figures of the pair with the median ratio of rates. */
async function inTurns(rounds: number, measure: (args: string[]) => Promise<Figures>): Promise<[Figures, Figures]> {
  const pairs: [Figures, Figures][] = [];
  for (let turn = 0; turn < rounds; turn += 1) pairs.push([await measure(SERVICE), await measure(REFERENCE)]);
  return middleOf(pairs);
}

/** The pair with the median ratio of rates. */
function middleOf(pairs: [Figures, Figures][]): [Figures, Figures] {
  const ratio = ([one, other]: [Figures, Figures]) => share(one['perSecond'], other['perSecond']);
  const sorted = pairs.toSorted((one, other) => ratio(one) - ratio(other));
  const middle = sorted[sorted.length >> 1];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}

async function webhooks(): Promise<void> {
  title('Webhook to completed run, three nodes, each checkpointed (milliseconds)');
  for (const connections of [1, 10, 50, 250]) {
    // Warm-up: about five seconds of load, because V8 still compiles the code in the first seconds.
    const requests = some(connections === 1 ? 2000 : connections === 10 ? 8000 : 24_000);
    const rounds = connections === 50 ? ROUNDS : 1;
    const [service, reference] = await inTurns(rounds, (args) => scene.webhooks(args, connections, requests));
    tell(`a  ${connections} connections, service`, service);
    tell(`a  ${connections} connections, reference`, reference);
    tell(`a  ${connections} connections, ratio`, {
      perSecond: share(service['perSecond'], reference['perSecond']),
      answerP99: share(service['answerP99'], reference['answerP99']),
    });
  }
  await verifications();
}

/** Other ways to verify the sender, in turns with the documented signature. */
async function verifications(): Promise<void> {
  title('Webhooks by verification, 50 connections');
  const requests = some(24_000);
  for (const verification of ['none', 'github'] as const) {
    const pairs: [Figures, Figures][] = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const other = await scene.webhooks(SERVICE, 50, requests, verification);
      pairs.push([other, await scene.webhooks(SERVICE, 50, requests, 'signature')]);
    }
    const [other, signature] = middleOf(pairs);
    tell(`a  ${verification}`, other);
    tell(`a  ${verification}, beside signature`, signature);
    tell(`a  ${verification}, ratio`, {
      perSecond: share(other['perSecond'], signature['perSecond']),
      cpuMsPerRun: share(other['cpuMsPerRun'], signature['cpuMsPerRun']),
    });
  }
}

async function backlog(): Promise<void> {
  title('A backlog of runs');
  const [service, reference] = await inTurns(ROUNDS, (args) => scene.backlog(args, some(20_000)));
  tell('b  backlog of three-node runs, service', service);
  tell('b  backlog of three-node runs, reference', reference);
  tell('b  backlog of three-node runs, ratio', { perSecond: share(service['perSecond'], reference['perSecond']) });
  tell('f  under the backlog', { memoryMiB: service['memoryMiB'] ?? Number.NaN });
}

async function alone(): Promise<void> {
  title('One run alone, start to finish (milliseconds)');
  const times = async (args: string[]) => percentiles(await scene.alone(args, some(300)));
  const [mine, bare] = [await times(SERVICE), await times(REFERENCE)];
  tell('c  service', { ...mine });
  tell('c  reference', { ...bare });
  tell('c  ratio, own time', { p50: share(mine.p50, bare.p50), ownMs: mine.p50 - bare.p50 });
}

async function nodes(): Promise<void> {
  title('Cost of a node');
  for (const count of [1, 10, 100]) {
    const runs = some(count === 100 ? 500 : count === 10 ? 4000 : 10_000);
    const [service, reference] = await inTurns(1, (args) => scene.backlog(args, runs, { nodes: count }));
    const microseconds = ({ perSecond = Number.NaN }: Figures) => 1e6 / (perSecond * count);
    const rows = runs * count;
    tell(`d  ${count} nodes per run`, {
      serviceMicros: microseconds(service),
      referenceMicros: microseconds(reference),
      ratio: share(reference['perSecond'], service['perSecond']),
      serviceCpuMicros: ((service['cpuSeconds'] ?? 0) * 1e6) / rows,
      referenceCpuMicros: ((reference['cpuSeconds'] ?? 0) * 1e6) / rows,
    });
  }
}

async function processes(): Promise<void> {
  title('Worker processes on one database');
  const redis = await startRedis();
  try {
    for (const workers of [1, 2, 3, 4]) {
      tell(`e  ${workers} workers, backlog`, await scene.shared(SERVICE, some(20_000), workers));
    }
    // Many workers with little work each: measures the cost of waking them.
    for (const workers of [4, 8]) {
      const fleet = { workers, connections: 50, requests: some(8000) };
      const plain = await scene.fleet(SERVICE, fleet);
      const brokered = await scene.fleet(SERVICE, { ...fleet, env: { REDIS_URL: redis.url } });
      tell(`e  web and ${workers} workers, webhooks`, plain);
      tell(`e  web and ${workers} workers, webhooks, REDIS_URL`, brokered);
      tell(`e  web and ${workers} workers, ratio`, { perSecond: share(brokered['perSecond'], plain['perSecond']) });
    }
  } finally {
    await redis.remove();
  }
}

async function idle(): Promise<void> {
  title('Memory of supervisor, service and evaluator processes (MiB of PSS, without the database)');
  tell('f  idle, after a load, a minute later', await scene.idle(SUPERVISED, some(5000)));
}

async function answers(): Promise<void> {
  title('A route of Next that does nothing, 50 connections (milliseconds)');
  const [through, past] = [await scene.answers(NEXT, 50, some(4000)), await scene.answers(SERVICE, 50, some(4000))];
  tell('g  bare Next route', through);
  tell('g  the same by our doors', past);
  tell('g  ratio', { perSecond: share(past['perSecond'], through['perSecond']) });
}

async function neighbours(): Promise<void> {
  title('One workspace beside another that asks for more than it may (milliseconds)');
  for (const roles of [['all'], ['web', 'worker']]) {
    const name = roles.join(' and ');
    const alone = await scene.beside(SERVICE, some(1000), 'nothing', roles);
    tell(`h  ${name}, alone`, alone);
    for (const trouble of ['backlog', 'flood'] as const) {
      const beside = await scene.beside(SERVICE, some(1000), trouble, roles);
      tell(`h  ${name}, beside a ${trouble}`, beside);
      tell(`h  ${name}, beside a ${trouble}, ratio`, {
        answerP99: share(beside['answerP99'], alone['answerP99']),
        completionP99: share(beside['completionP99'], alone['completionP99']),
      });
    }
  }
}

async function responses(): Promise<void> {
  title('Webhook to the answer of its workflow (milliseconds)');
  const flows = {
    code: ['start', 'code', 'respond'],
    'two transforms': ['start', 'transform', 'transform', 'respond'],
  };
  for (const [name, types] of Object.entries(flows)) {
    for (const connections of [1, 10, 50]) {
      // As above, the warm-up takes about five seconds. An evaluation of code takes a core of its own.
      const requests = some(
        connections === 1 ? 2000 : (connections === 10 ? 4000 : 12_000) / (name === 'code' ? 4 : 1),
      );
      const measure = (response: 'accepted' | 'respond_node', roles?: string[]) =>
        scene.responses(SERVICE, { types, response }, connections, requests, roles);
      const [answered, accepted] = [await measure('respond_node'), await measure('accepted')];
      tell(`i  ${name}, ${connections} connections, answered`, answered);
      tell(`i  ${name}, ${connections} connections, accepted only`, accepted);
      tell(`i  ${name}, ${connections} connections, ratio`, {
        perSecond: share(answered['perSecond'], accepted['perSecond']),
      });
      const apart = await measure('respond_node', ['web', 'worker']);
      tell(`i  ${name}, ${connections} connections, web and worker`, apart);
    }
  }
}

const chapters = {
  a: webhooks,
  b: backlog,
  c: alone,
  d: nodes,
  e: processes,
  f: idle,
  g: answers,
  h: neighbours,
  i: responses,
};

try {
  for (const [letter, measure] of Object.entries(chapters)) {
    if (!options.only || options.only.includes(letter)) await measure();
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
} finally {
  await scene.close();
}
