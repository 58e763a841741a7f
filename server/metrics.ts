import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import { clientAddress } from './api/address';
import { unauthorized } from './api/problem';
import { pool } from './db/client';
import { runtime } from './runtime';

// Modules exist twice in a process, prom-client's registry once: whoever comes first sets it up.
const PREFIX = 'weft_';
const IS_NEW = register.getSingleMetric(`${PREFIX}call_seconds`) === undefined;
if (IS_NEW) collectDefaultMetrics({ prefix: PREFIX });

const existing = <Metric>(name: string, make: () => Metric): Metric =>
  (register.getSingleMetric(PREFIX + name) as Metric | undefined) ?? make();

const calls = existing(
  'call_seconds',
  () =>
    new Histogram({
      name: `${PREFIX}call_seconds`,
      help: 'Time that operations took to answer, by operation and HTTP status',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
);

existing(
  'executions',
  () =>
    new Gauge({
      name: `${PREFIX}executions`,
      help: 'Executions that have not ended, by status; the same in every process',
      labelNames: ['status'],
      async collect() {
        const { rows } = await pool().query<{ status: string; count: number }>(
          `SELECT s.status, count(e.id)::int FROM unnest('{pending,running,paused}'::text[]) s(status)
           LEFT JOIN execution e ON e.status = s.status GROUP BY s.status`,
        );
        for (const { status, count } of rows) this.set({ status }, count);
      },
    }),
);

existing(
  'queue_overdue_seconds',
  () =>
    new Gauge({
      name: `${PREFIX}queue_overdue_seconds`,
      help: 'For how long the run that has waited longest could have been taken by a worker; the same in every process',
      async collect() {
        const { rows } = await pool().query<{ seconds: number }>(
          `SELECT coalesce(extract(epoch FROM now() - min(available_at)), 0)::float AS seconds FROM execution
           WHERE worker_id IS NULL AND available_at <= now()`,
        );
        this.set(rows[0]?.seconds ?? 0);
      },
    }),
);

/** Counts one call of an operation. */
export const observe = (operation: string, status: number, seconds: number): void =>
  calls.observe({ operation, status }, seconds);

function isBearerOf(token: string | undefined, authorization: string | null): boolean {
  const given = Buffer.from(authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return token !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted);
}

const isLoopback = (address: string) => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** GET /metrics: Prometheus text, for whoever holds METRICS_TOKEN or asks from this machine. */
export async function metrics(request: Request): Promise<Response> {
  const { metricsToken, trustProxy } = runtime().env;
  const isAllowed =
    isBearerOf(metricsToken, request.headers.get('authorization')) ||
    isLoopback(clientAddress(request.headers, trustProxy));
  if (!isAllowed) {
    const problem = unauthorized('METRICS_TOKEN is needed as bearer.');
    return Response.json(problem.body, { status: problem.status, headers: problem.headers });
  }
  return new Response(await register.metrics(), {
    headers: { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' },
  });
}
