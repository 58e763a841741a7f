import { createServer, type IncomingMessage, type Server } from 'node:http';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { handleHealthz, handleReadyz, handleReadyzAtStart } from './health';
import { serviceLog } from '@/server/platform/log';
import { metricsResponse } from '@/server/platform/metrics/exposition';

const PROBE_PAGES: Record<string, (headers: Headers) => Promise<Response>> = {
  '/healthz': handleHealthz,
  '/readyz': handleReadyz,
  '/metrics': (headers) => metricsResponse({ headers }),
};

/**
 * A server for health checks and monitoring only. It does not listen yet. It may listen before the process takes
 * requests: until `isStarted`, /readyz answers 503.
 */
export const createProbeServer = (isStarted: () => boolean): Server =>
  createServer({ requireHostHeader: false, requestTimeout: 10_000 }, (request, response) => {
    respondToProbe(request, isStarted)
      .then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch((error: unknown) => {
        serviceLog().error({ err: error, path: request.url }, 'a probe could not be answered');
        response.destroy();
      });
  });

async function respondToProbe(
  { method, url = '/', headers, socket }: IncomingMessage,
  isStarted: () => boolean,
): Promise<Response> {
  const [path = '/'] = url.split('?', 1);
  const page = path === '/readyz' && !isStarted() ? handleReadyzAtStart : PROBE_PAGES[path];
  if (!page) return new Response(null, { status: 404 });
  if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405, headers: { Allow: 'GET' } });
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') given.set(name, value);
  given.set(PEER_ADDRESS_HEADER, socket.remoteAddress ?? 'unknown');
  return page(given);
}
