import { timingSafeEqual } from 'node:crypto';
import { isFromThisMachine, type CallHeaders } from '@/server/platform/messages/client-address';
import { unauthorizedProblem } from '@/server/platform/errors/problem';
import { getRuntime } from '@/server/platform/runtime';

function isBearerToken(token: string | undefined, authorization: string | null): boolean {
  const candidate = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return token !== undefined && candidate.length === expected.length && timingSafeEqual(candidate, expected);
}

/** GET /metrics: Prometheus text, for holders of METRICS_TOKEN, or for requests from this machine without a proxy. */
export async function metricsResponse({ headers }: { headers: CallHeaders }): Promise<Response> {
  const { metricsToken } = getRuntime().env;
  const isAllowed = isBearerToken(metricsToken, headers.get('authorization')) || isFromThisMachine(headers);
  if (!isAllowed) {
    const problem = unauthorizedProblem('METRICS_TOKEN is needed as bearer.');
    return Response.json(problem.body, { status: problem.status, headers: problem.headers });
  }
  // Loaded with the first reading: the counters of `meters` count before.
  const { metricsRegistry: registry } = await import('./registry');
  return new Response(await registry().metrics(), {
    headers: { 'Content-Type': registry().contentType, 'Cache-Control': 'no-store' },
  });
}
