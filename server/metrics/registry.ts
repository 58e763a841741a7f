import { collectDefaultMetrics, Gauge, Registry, type Metric } from 'prom-client';
import { pool, poolAside } from '@/server/db/client';
import type { CounterFamily, HistogramFamily, LabelValue } from '@/server/meters/family';
import { families } from '@/server/meters/meters';
import { runtime } from '@/server/runtime';

const PREFIX = 'weft_';

/** Gauges of prom-client whose names end like those of counters, by the names that they get here. */
const RENAMED = {
  nodejs_active_handles_total: 'nodejs_open_handles',
  nodejs_active_requests_total: 'nodejs_open_requests',
  nodejs_active_resources_total: 'nodejs_open_resources',
};

interface Value {
  metricName?: string;
  labels: Record<string, LabelValue>;
  value: number;
}

function valuesOf(family: CounterFamily | HistogramFamily): Value[] {
  if (family.type === 'counter') return [...family.entries()].map(([labels, { value }]) => ({ labels, value }));
  const name = PREFIX + family.name;
  return [...family.entries()].flatMap(([labels, { counts, sum }]) => {
    let value = 0;
    const buckets = counts.map((count, index) => {
      value += count;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: family.bounds[index] ?? '+Inf' }, value };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value },
    ];
  });
}

/**
 * A family as the registry reads it. The metrics of prom-client compute a text from the labels at each event; these do nothing before they
 * are read.
 */
function metricOf(family: CounterFamily | HistogramFamily): Metric {
  const { name, help, type } = family;
  const get = async () => ({ name: PREFIX + name, help, type, aggregator: 'sum', values: valuesOf(family) });
  return { name: PREFIX + name, help, type, get } as unknown as Metric;
}

/** Rows of one label's value and a number. */
type Reading = () => [string, number][] | Promise<[string, number][]>;

function createRegistry(): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, label: string | null, read: Reading) =>
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames: label === null ? [] : [label],
      registers: [registry],
      async collect() {
        for (const [text, value] of await read()) this.set(label === null ? {} : { [label]: text }, value);
      },
    });

  collectDefaultMetrics({ prefix: PREFIX, register: registry });
  for (const [old, name] of Object.entries(RENAMED)) {
    const metric = registry.getSingleMetric(PREFIX + old);
    if (!metric) continue;
    registry.removeSingleMetric(PREFIX + old);
    const help = `Number of ${name.slice('nodejs_open_'.length)} of libuv that are open`;
    gauge(name, help, null, async () => (await metric.get()).values.map(({ value }) => ['', value]));
  }
  for (const family of families()) registry.registerMetric(metricOf(family));

  gauge('executions', 'Executions that have not ended, by status; the same in every process', 'status', async () => {
    const { rows } = await pool().query<{ status: string; count: number }>(
      `SELECT s.status, count(e.id)::int FROM unnest('{pending,running,paused}'::text[]) s(status)
         LEFT JOIN execution e ON e.status = s.status GROUP BY s.status`,
    );
    return rows.map(({ status, count }) => [status, count]);
  });
  gauge(
    'queue_overdue_seconds',
    'For how long the run that has waited longest could have been taken by a worker; the same in every process',
    null,
    async () => {
      const { rows } = await pool().query<{ seconds: number }>(
        `SELECT coalesce(extract(epoch FROM now() - min(available_at)), 0)::float AS seconds FROM execution
           WHERE worker_id IS NULL AND available_at <= now()`,
      );
      return [['', rows[0]?.seconds ?? 0]];
    },
  );

  const pools = () => ({ main: pool(), aside: poolAside() });
  const fromPools = (read: (one: ReturnType<typeof pool>) => number) => (): [string, number][] =>
    Object.entries(pools()).map(([name, one]) => [name, read(one)]);
  gauge(
    'database_connections_busy',
    'Connections to PostgreSQL that are in use, by pool',
    'pool',
    fromPools(({ totalCount, idleCount }) => totalCount - idleCount),
  );
  gauge(
    'database_connections_open',
    'Connections to PostgreSQL that are open, by pool',
    'pool',
    fromPools(({ totalCount }) => totalCount),
  );
  gauge(
    'database_connections_max',
    'Most connections to PostgreSQL, by pool',
    'pool',
    fromPools(({ options }) => options.max ?? 0),
  );
  gauge(
    'database_connections_waiting',
    'Statements and transactions that wait for a connection to PostgreSQL, by pool',
    'pool',
    fromPools(({ waitingCount }) => waitingCount),
  );

  const evaluation = () => runtime().evaluation?.stats ?? { processes: 0, running: 0, waiting: 0 };
  gauge('evaluation_processes', 'Evaluator processes of this process, by state', 'state', () => {
    const { processes, running } = evaluation();
    return [
      ['busy', running],
      ['idle', Math.max(0, processes - running)],
    ];
  });
  gauge('evaluation_jobs_waiting', 'Evaluations that wait for an evaluator process', null, () => [
    ['', evaluation().waiting],
  ]);
  gauge('worker_runs', 'Runs that this process executes now', null, () => [['', runsHere()]]);
  gauge(
    'worker_slots',
    'Runs that this process executes at most (WORKER_CONCURRENCY); 0 without a worker',
    null,
    () => [['', (runtime().localWorkers?.size ?? 0) * runtime().env.workerConcurrency]],
  );
  return registry;
}

const runsHere = (): number => [...(runtime().localWorkers ?? [])].reduce((sum, worker) => sum + worker.runs, 0);

const KEY = Symbol.for('weft.metrics');
type Holder = { [KEY]?: Registry };

/** The metrics of this process; the bundles of Next.js and of the server share them. */
export const registry = (): Registry => ((globalThis as Holder)[KEY] ??= createRegistry());
