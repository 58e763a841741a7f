import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import { isFromHere, type CallHeaders } from './client-address';
import { unauthorized } from '@/server/errors/problem';
import { pool } from '@/server/db/client';
import { runtime } from './runtime';

const PREFIX = 'weft_';
collectDefaultMetrics({ prefix: PREFIX });

const calls = new Histogram({
  name: `${PREFIX}call_seconds`,
  help: 'Time that operations took to answer, by operation and HTTP status',
  labelNames: ['operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
});

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
});

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
});

/** Counts one call of an operation. */
export const observe = (operation: string, status: number, seconds: number): void =>
  calls.observe({ operation, status }, seconds);

function isBearerOf(token: string | undefined, authorization: string | null): boolean {
  const candidate = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return token !== undefined && candidate.length === expected.length && timingSafeEqual(candidate, expected);
}

/** GET /metrics: Prometheus text, for holders of METRICS_TOKEN, or for requests from this machine without a proxy. */
export async function metrics({ headers }: { headers: CallHeaders }): Promise<Response> {
  const { metricsToken } = runtime().env;
  const isAllowed = isBearerOf(metricsToken, headers.get('authorization')) || isFromHere(headers);
  if (!isAllowed) {
    const problem = unauthorized('METRICS_TOKEN is needed as bearer.');
    return Response.json(problem.body, { status: problem.status, headers: problem.headers });
  }
  return new Response(await register.metrics(), {
    headers: { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' },
  });
}
