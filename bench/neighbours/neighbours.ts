// What one workspace can do to another: for every attack, a second workspace's latencies alone and beside it.
// `npm run bench:neighbours [-- --only <text>] [-- --seconds N] [-- --json FILE]`
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster } from '../../server/testing/cluster';
import { percentiles, type Percentiles } from '../load';
import { freePort, startProgram, type Program } from '../program';
import type { Attack } from './attack';
import { ATTACKS } from './attacks';
import { SERVERS } from './servers';
import { STRANGERS } from './strangers';
import { send, signature, Tenant } from './tenant';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, seconds: { type: 'string', default: '6' }, json: { type: 'string' } },
});
const SECONDS = Number(options.seconds);

/**
 * The limit for the second workspace: its latency beside an attack is at most this many times the latency alone, or
 * this many milliseconds, whichever is more.
 */
const MOST_TIMES = 4;
const MOST_MS = 400;
/** The longest that a single call of the second workspace may take. */
const MOST_WORST_MS = 1500;

/** The neighbour's calls: a list of workflows, a manual run of three nodes, a signed webhook. */
interface Neighbour {
  tenant: Tenant;
  workflowId: string;
  secret: string;
}

async function neighbourOf(tenant: Tenant): Promise<Neighbour> {
  const fields = { type: 'transform', config: { fields: { total: '{{ input.total * 1.2 }}' } } };
  const workflowId = await tenant.workflow({ a: fields, b: fields });
  const { body } = await tenant.call('POST', `/api/workflows/${workflowId}/webhooks`, { path: 'in' });
  return { tenant, workflowId, secret: String(body['secret']) };
}

/**
 * Latencies of the neighbour's calls in milliseconds, one after another, until `isOver`. Throws on an unexpected
 * answer.
 */
async function probe({ tenant, workflowId, secret }: Neighbour, isOver: () => boolean): Promise<Percentiles> {
  const times: number[] = [];
  const body = '{"total":100}';
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature(secret, body) };
  const calls = [
    { status: 200, make: () => tenant.call('GET', '/api/workflows') },
    { status: 202, make: () => tenant.execute(workflowId, { total: 100 }) },
    { status: 202, make: () => send(tenant.origin, 'POST', `/webhooks/${workflowId}/in`, body, headers) },
  ];
  while (!isOver()) {
    for (const { status, make } of calls) {
      const startedAt = performance.now();
      const answer = await make();
      times.push(performance.now() - startedAt);
      if (answer.status !== status)
        throw new Error(`The neighbour was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    // About 2,000 calls a minute: well below the neighbour's own rate limit.
    await new Promise((resolve) => setTimeout(resolve, 70));
  }
  return percentiles(times);
}

const forSeconds = (seconds: number) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
};

interface Row {
  attack: string;
  alone: Percentiles;
  beside: Percentiles;
  isSameProcess: boolean;
  ended: string;
  holds: boolean;
}

async function measure(
  attack: Attack,
  origin: string,
  program: Program,
  neighbour: Neighbour,
  at: number,
): Promise<Row> {
  const hostile = await Tenant.signUp(origin, `hostile${at}`);
  const alone = await probe(neighbour, forSeconds(Math.min(SECONDS, 3)));
  const isOver = forSeconds(SECONDS);
  const [ended, beside] = await Promise.all([
    attack.run(hostile, isOver).catch((error: Error) => `broke off: ${error.message}`),
    probe(neighbour, isOver),
  ]);
  await hostile.close();
  const isSameProcess = program.isRunning();
  const holds =
    isSameProcess && beside.p99 <= Math.max(MOST_TIMES * alone.p99, MOST_MS) && beside.worst <= MOST_WORST_MS;
  return { attack: attack.name, alone, beside, isSameProcess, ended, holds };
}

const ms = (value: number) => String(Math.round(value * 10) / 10);

function show({ attack, alone, beside, isSameProcess, ended, holds }: Row): string {
  const cells = [
    attack,
    ms(alone.p50),
    ms(alone.p99),
    ms(alone.worst),
    ms(beside.p50),
    ms(beside.p99),
    ms(beside.worst),
    `${program.pid} → ${isSameProcess ? program.pid : 'gone'}`,
    ended,
  ];
  return `| ${[...cells, holds ? 'yes' : '**no**'].join(' | ')} |`;
}

const cluster = await startCluster();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const program = await startProgram(['--max-semi-space-size=32', 'dist/server.mjs'], {
  DATABASE_URL: cluster.url,
  DATA_DIR: cluster.dataDir,
  PORT: String(port),
  HOST: '127.0.0.1',
  MULTI_TENANT: 'true',
  RATE_LIMIT_TIER: 'enterprise',
  BCRYPT_COST: '4',
});
const rows: Row[] = [];
try {
  const neighbour = await neighbourOf(await Tenant.signUp(origin, 'neighbour'));
  await probe(neighbour, forSeconds(2));
  process.stdout.write(
    '| attack | alone p50, ms | p99 | worst | beside p50 | p99 | worst | pid before and after | hostile run | holds |\n',
  );
  process.stdout.write('|---|---|---|---|---|---|---|---|---|---|\n');
  for (const [at, attack] of [...STRANGERS, ...SERVERS, ...ATTACKS].entries()) {
    if (options.only && !attack.name.includes(options.only)) continue;
    const row = await measure(attack, origin, program, neighbour, at);
    rows.push(row);
    process.stdout.write(`${show(row)}\n`);
  }
  await neighbour.tenant.close();
} finally {
  await program.stop();
  await cluster.remove();
}
if (options.json) writeFileSync(options.json, JSON.stringify(rows, null, 2));
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
