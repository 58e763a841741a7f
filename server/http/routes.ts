import { arrivalOf, type Arrival } from '@/server/api/incoming';
import { isUnchanged } from '@/server/api/unchanged';
import { metrics } from '@/server/metrics';
import { failureReply } from '@/server/pipeline/perform';
import type { Reply } from '@/server/pipeline/steps/answer';
import { operations } from '@/server/operations';
import { probe } from '@/server/operations/webhooks/probe';
import { browserHandler } from './browser-requests';
import { methodNotAllowed } from '@/server/errors/problem';
import { notFoundHandler, operationHandler, otherMethodHandler, refusalHandler } from './handlers';
import type { Handler } from './handlers';
import { healthz, readyz } from './health';
import { callbackPage } from './oauth-callback';
import { asyncApiJson, openApiJson, openApiYaml } from './openapi/description';
import { runtime } from '@/server/runtime';
import { responseOf } from './response';
import { mcpHandler } from './mcp/mcp';
import { createRouter } from './router';
import { securityText } from './security-text';
import { trpcHandler } from './trpc/trpc-requests';

declare module '@/server/runtime' {
  interface Runtime {
    /** Set by tests: sees each answer of the API before it is sent. */
    inspectReply?: (arrival: Arrival, reply: Reply) => Promise<void>;
  }
}

const match = createRouter(operations);

/** A handler that returns a complete response with its own headers. */
const page =
  (answer: (arrival: Arrival) => Response | Promise<Response>): Handler =>
  async (arrival) => {
    try {
      const response = await answer(arrival);
      const { status, headers } = response;
      const tag = headers.get('etag');
      if (tag !== null && isUnchanged(arrival.headers, tag))
        return { status: 304, headers: {}, raw: new Response(null, { status: 304, headers }) };
      const bytes = await response.arrayBuffer();
      headers.set('Content-Length', String(bytes.byteLength));
      return { status, headers: {}, raw: new Response(bytes, { status, headers }) };
    } catch (error) {
      return failureReply(arrival.path, arrival.requestId, error);
    }
  };

/** Paths for health checks and monitoring. */
export const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Status pages, the API description, the OAuth callback and the contact for security, by exact path. Read only, and not operations. */
const PAGES = new Map<string, Handler>([
  ['/healthz', page(healthz)],
  ['/readyz', page(readyz)],
  ['/metrics', page(metrics)],
  ['/openapi.json', page(openApiJson)],
  ['/openapi.yaml', page(openApiYaml)],
  ['/asyncapi.json', page(asyncApiJson)],
  ['/oauth/callback', page(callbackPage)],
  ['/.well-known/security.txt', page(securityText)],
]);
const readOnly = refusalHandler(() => methodNotAllowed(['GET']));

const PREFIXES: [string, Handler][] = [
  ['/api/trpc/', trpcHandler],
  ['/api/auth/', browserHandler],
];

/** The address for clients of the Model Context Protocol. */
const MCP = '/mcp';

/** Path prefixes of the API: unknown paths below them are not passed to the web app. */
const API = /^\/(api|auth|webhooks|calls)(\/|$)/;

/** HEAD and OPTIONS ask about the address of a webhook. */
function probeHandler(method: string, path: string): Handler | undefined {
  if ((method !== 'HEAD' && method !== 'OPTIONS') || !path.startsWith('/webhooks/')) return undefined;
  const found = match('POST', path);
  return found && 'operation' in found ? operationHandler(probe, found.params) : undefined;
}

/** The handler of a request; undefined: the web app answers it. */
export function handlerFor(method: string, path: string): Handler | undefined {
  const handler = find(method, path);
  const { inspectReply } = runtime();
  if (!handler || !inspectReply) return handler;
  return async (arrival) => {
    const reply = await handler(arrival);
    await inspectReply(arrival, reply);
    return reply;
  };
}

/** HEAD is handled as a GET without a body. */
function find(method: string, path: string): Handler | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === MCP) return method === 'POST' ? mcpHandler : otherMethodHandler(method, ['POST']);
  const pageHandler = PAGES.get(path);
  if (pageHandler) return isRead ? pageHandler : readOnly;
  const probing = probeHandler(method, path);
  if (probing) return probing;
  const found = match(isRead ? 'GET' : method, path);
  if (found) {
    return 'operation' in found
      ? operationHandler(found.operation, found.params)
      : otherMethodHandler(method, found.allowed);
  }
  const prefixHandler = PREFIXES.find(([prefix]) => path.startsWith(prefix));
  if (prefixHandler) return prefixHandler[1];
  // Pages accept only GET and HEAD.
  return isRead && !API.test(path) ? undefined : notFoundHandler;
}

/** Answers a Fetch API request, for the route handlers of Next.js. */
export async function dispatch(request: Request): Promise<Response> {
  const arrival = arrivalOf(request);
  const handler = handlerFor(arrival.method, arrival.path) ?? notFoundHandler;
  return responseOf(await handler(arrival));
}
