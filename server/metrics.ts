import { timingSafeEqual } from 'node:crypto';
import { isFromHere, type CallHeaders } from './client-address';
import { unauthorized } from '@/server/errors/problem';
import { runtime } from './runtime';

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
  // Loaded with the first reading: the counters of `meters` count before.
  const { registry } = await import('./metrics/registry');
  return new Response(await registry().metrics(), {
    headers: { 'Content-Type': registry().contentType, 'Cache-Control': 'no-store' },
  });
}
