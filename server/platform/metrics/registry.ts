import { collectDefaultMetrics, Gauge, Registry, type Metric } from 'prom-client';
import { databasePool, secondaryPool } from '@/server/platform/db/client';
import type { CounterFamily, HistogramFamily, LabelValue } from '@/server/platform/counters/family';
import { listMetricFamilies } from '@/server/platform/counters/meters';
import { getRuntime } from '@/server/platform/runtime';

const METRIC_NAME_PREFIX = 'weft_';

/** Gauges of prom-client whose names end like those of counters, by the names that they get here. */
const RENAMED_METRICS = {
  nodejs_active_handles_total: 'nodejs_open_handles',
  nodejs_active_requests_total: 'nodejs_open_requests',
  nodejs_active_resources_total: 'nodejs_open_resources',
};

interface MetricValue {
  metricName?: string;
  labels: Record<string, LabelValue>;
  value: number;
}

function familyValues(family: CounterFamily | HistogramFamily): MetricValue[] {
  if (family.type === 'counter') return [...family.entries()].map(([labels, { value }]) => ({ labels, value }));
  const name = METRIC_NAME_PREFIX + family.name;
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
 * A family as the registry reads it. The metrics of prom-client compute a text from the labels at each event; these do
 * nothing before they are read.
 */
function toRegistryMetric(family: CounterFamily | HistogramFamily): Metric {
  const { name, help, type } = family;
  const get = async () => ({
    name: METRIC_NAME_PREFIX + name,
    help,
    type,
    aggregator: 'sum',
    values: familyValues(family),
  });
  return { name: METRIC_NAME_PREFIX + name, help, type, get } as unknown as Metric;
}

/** Rows of one label's value and a number. */
type GaugeReading = () => [string, number][] | Promise<[string, number][]>;

function createMetricsRegistry(): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, label: string | null, read: GaugeReading) =>
    new Gauge({
      name: METRIC_NAME_PREFIX + name,
      help,
      labelNames: label === null ? [] : [label],
      registers: [registry],
      async collect() {
        for (const [text, value] of await read()) this.set(label === null ? {} : { [label]: text }, value);
      },
    });

  collectDefaultMetrics({ prefix: METRIC_NAME_PREFIX, register: registry });
  for (const [old, name] of Object.entries(RENAMED_METRICS)) {
    const metric = registry.getSingleMetric(METRIC_NAME_PREFIX + old);
    if (!metric) continue;
    registry.removeSingleMetric(METRIC_NAME_PREFIX + old);
    const help = `Number of ${name.slice('nodejs_open_'.length)} of libuv that are open`;
    gauge(name, help, null, async () => (await metric.get()).values.map(({ value }) => ['', value]));
  }
  for (const family of listMetricFamilies()) registry.registerMetric(toRegistryMetric(family));

  gauge('executions', 'Executions that have not ended, by status; the same in every process', 'status', async () => {
    const { rows } = await databasePool().query<{ status: string; count: number }>(
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
      const { rows } = await databasePool().query<{ seconds: number }>(
        `SELECT coalesce(extract(epoch FROM now() - min(available_at)), 0)::float AS seconds FROM execution
           WHERE worker_id IS NULL AND available_at <= now()`,
      );
      return [['', rows[0]?.seconds ?? 0]];
    },
  );

  const pools = () => ({ main: databasePool(), aside: secondaryPool() });
  const fromPools = (read: (one: ReturnType<typeof databasePool>) => number) => (): [string, number][] =>
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

  const evaluation = () => getRuntime().evaluation?.stats ?? { processes: 0, running: 0, waiting: 0 };
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
  gauge('worker_runs', 'Runs that this process executes now', null, () => [['', countLocalRuns()]]);
  gauge(
    'worker_slots',
    'Runs that this process executes at most (WORKER_CONCURRENCY); 0 without a worker',
    null,
    () => [['', (getRuntime().localWorkers?.size ?? 0) * getRuntime().env.workerConcurrency]],
  );
  return registry;
}

const countLocalRuns = (): number =>
  [...(getRuntime().localWorkers ?? [])].reduce((sum, worker) => sum + worker.runCount, 0);

const REGISTRY_KEY = Symbol.for('weft.metrics');
type RegistryHolder = { [REGISTRY_KEY]?: Registry };

/** The metrics of this process; the bundles of Next.js and of the server share them. */
export const metricsRegistry = (): Registry =>
  ((globalThis as RegistryHolder)[REGISTRY_KEY] ??= createMetricsRegistry());
