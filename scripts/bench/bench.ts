// What the service does with a machine, beside what bare programs do with it in the same run. Absolute figures say
// something of this machine at this moment; the shares of the reference are what can be compared.
// `npm run bench [-- --quick] [-- --json FILE]`
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster } from '../../server/testing/cluster';
import { Ground } from './ground';
import { percentiles } from './load';
import { startProgram, freePort, type Program } from './program';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const scale = options.quick ? 0.1 : 1;
const some = (count: number) => Math.max(20, Math.round(count * scale));

type Figures = Record<string, number>;
const results: Record<string, Figures> = {};

/** Keeps and shows the figures of one measurement. */
function tell(name: string, figures: Figures): void {
  results[name] = figures;
  const shown = Object.entries(figures).map(([key, value]) => `${key} ${round(value)}`);
  process.stdout.write(`${name.padEnd(44)} ${shown.join('  ')}\n`);
}
const round = (value: number) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

// Durable as an installation is: this measures commits that would survive a power cut.
const cluster = await startCluster({ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' });
const programs: Program[] = [];
const SERVICE = ['dist/server.mjs'];
const REFERENCE = ['--import', 'tsx', 'scripts/bench/reference.ts'];

/** Runs `work` with a program on a fresh database, then ends it. */
async function withProgram<T>(
  args: string[],
  nodes: number,
  env: Record<string, string>,
  work: (ground: Ground, program: Program) => Promise<T>,
  prepare?: (ground: Ground) => Promise<void>,
): Promise<T> {
  const ground = await Ground.lay(cluster, nodes, await freePort());
  await prepare?.(ground);
  const program = await startProgram(args, { ...ground.environment, ...env });
  programs.push(program);
  try {
    return await work(ground, program);
  } finally {
    await program.stop();
    programs.splice(programs.indexOf(program), 1);
    await ground.clear();
  }
}

/** Webhooks over so many connections until all their runs have ended. */
const webhooks = (args: string[], connections: number, requests: number) =>
  withProgram(args, 3, {}, async (ground, program) => {
    await ground.load(connections, some(200));
    const [cpu, databaseCpu] = [program.cpuSeconds(), ground.databaseCpu()];
    const begun = performance.now();
    const sent = await ground.load(connections, requests);
    await ground.drained();
    const seconds = (performance.now() - begun) / 1000;
    const completion = await ground.completion(requests);
    return {
      perSecond: requests / seconds,
      answerP50: sent.answer.p50,
      answerP99: sent.answer.p99,
      completionP50: completion.p50,
      completionP99: completion.p99,
      cpuMsPerRun: ((program.cpuSeconds() - cpu) * 1000) / requests,
      databaseCpuMsPerRun: ((ground.databaseCpu() - databaseCpu) * 1000) / requests,
      memoryMiB: program.memory(),
    };
  });

/** A backlog that is there when the program starts; timed from the start of its first node. */
const backlog = (args: string[], count: number, nodes = 3, workers = 1) =>
  withProgram(
    args,
    nodes,
    {},
    async (ground, program) => {
      const more = await Promise.all(
        Array.from({ length: workers - 1 }, () => startProgram(args, { ...ground.environment, ROLE: 'worker' })),
      );
      await ground.drained();
      const memoryMiB = program.memory();
      await Promise.all(more.map((worker) => worker.stop()));
      return { perSecond: await ground.drainRate(), memoryMiB };
    },
    (ground) => ground.pile(count),
  );

/** One run at a time: from sending the webhook to the commit of its end. */
const alone = (args: string[], count: number) =>
  withProgram(args, 3, {}, async (ground) => {
    const times: number[] = [];
    for (let run = 0; run < count; run += 1) times.push(await ground.roundTrip());
    return percentiles(times.slice(Math.floor(count / 5)));
  });

const share = (one: number | undefined, other: number | undefined) => (one ?? Number.NaN) / (other ?? Number.NaN);

try {
  process.stdout.write('Webhook to completed run, three nodes, each checkpointed (milliseconds)\n');
  for (const connections of [1, 10, 50, 250]) {
    const requests = some(connections === 1 ? 500 : connections === 10 ? 3000 : 8000);
    const service = await webhooks(SERVICE, connections, requests);
    const reference = await webhooks(REFERENCE, connections, requests);
    tell(`a  ${connections} connections, service`, service);
    tell(`a  ${connections} connections, reference`, reference);
    tell(`a  ${connections} connections, ratio`, {
      perSecond: share(service.perSecond, reference.perSecond),
      answerP99: share(service.answerP99, reference.answerP99),
    });
  }
  process.stdout.write('A backlog of runs\n');
  const service = await backlog(SERVICE, some(20_000));
  const reference = await backlog(REFERENCE, some(20_000));
  tell('b  backlog of three-node runs, service', service);
  tell('b  backlog of three-node runs, reference', reference);
  tell('b  backlog of three-node runs, ratio', { perSecond: share(service.perSecond, reference.perSecond) });

  process.stdout.write('One run alone, start to finish (milliseconds)\n');
  const [mine, bare] = [await alone(SERVICE, some(300)), await alone(REFERENCE, some(300))];
  tell('c  service', { ...mine });
  tell('c  reference', { ...bare });
  tell('c  ratio, own time', { p50: share(mine.p50, bare.p50), ownMs: mine.p50 - bare.p50 });

  process.stdout.write('Cost of a node\n');
  for (const nodes of [1, 10, 100]) {
    const count = some(nodes === 100 ? 500 : nodes === 10 ? 4000 : 10_000);
    const [ours, theirs] = [await backlog(SERVICE, count, nodes), await backlog(REFERENCE, count, nodes)];
    const microseconds = (perSecond: number) => 1e6 / (perSecond * nodes);
    tell(`d  ${nodes} nodes per run`, {
      serviceMicros: microseconds(ours.perSecond),
      referenceMicros: microseconds(theirs.perSecond),
      ratio: share(theirs.perSecond, ours.perSecond),
    });
  }
  process.stdout.write('Worker processes on one database\n');
  for (const workers of [1, 2, 3, 4]) {
    tell(`e  ${workers} worker processes`, await backlog(SERVICE, some(20_000), 3, workers));
  }
  process.stdout.write('Memory of the all-in-one process (MiB, without the database)\n');
  tell('f  idle', await withProgram(SERVICE, 3, {}, async (_, program) => ({ memoryMiB: program.memory() })));
  tell('f  under the backlog', { memoryMiB: service.memoryMiB });
  if (options.json) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
} finally {
  await Promise.all(programs.map((program) => program.stop()));
  await cluster.remove();
}
