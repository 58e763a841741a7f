import { receivedFromWeb, type ReceivedRequest } from '@/server/api/operation/incoming';
import { matchesEntityTag } from '@/server/api/operation/unchanged';
import { metricsResponse } from '@/server/platform/metrics/exposition';
import { failureResponse } from '@/server/api/pipeline/perform';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { operationTable } from '@/server/api/operations';
import { probeWebhookOperation } from '@/server/api/operations/webhooks/probe';
import { handleBrowserAuth } from './browser-requests';
import { methodNotAllowedProblem } from '@/server/platform/errors/problem';
import { handleNotFound, createOperationHandler, createOtherMethodHandler, createRefusalHandler } from './handlers';
import type { RequestHandler } from './handlers';
import { handleHealthz, handleReadyz } from './health';
import { oauthCallbackPage } from './oauth-callback';
import { handleAsyncApiJson, handleOpenApiJson, handleOpenApiYaml } from './openapi/description';
import { getRuntime } from '@/server/platform/runtime';
import { toWebResponse } from './response';
import { handleMcp } from './mcp/mcp';
import { createOperationRouter } from './router';
import { securityTextResponse } from './security-text';
import { handleTrpc } from './trpc/trpc-requests';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Set by tests: sees each answer of the API before it is sent. */
    inspectReply?: (arrival: ReceivedRequest, reply: OperationResponse) => Promise<void>;
  }
}

const matchOperation = createOperationRouter(operationTable);

/** A handler that returns a complete response with its own headers. */
const createPageHandler =
  (answer: (arrival: ReceivedRequest) => Response | Promise<Response>): RequestHandler =>
  async (arrival) => {
    try {
      const response = await answer(arrival);
      const { status, headers } = response;
      const tag = headers.get('etag');
      if (tag !== null && matchesEntityTag(arrival.headers, tag))
        return { status: 304, headers: {}, raw: new Response(null, { status: 304, headers }) };
      const bytes = await response.arrayBuffer();
      headers.set('Content-Length', String(bytes.byteLength));
      return { status, headers: {}, raw: new Response(bytes, { status, headers }) };
    } catch (error) {
      return failureResponse(arrival.path, arrival.requestId, error);
    }
  };

/** Paths for health checks and monitoring. */
export const PROBE_ADDRESSES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Status pages, the API description, the OAuth callback and the contact for security, by exact path. Read only, and not
 * operations.
 */
const PAGE_HANDLERS = new Map<string, RequestHandler>([
  ['/healthz', createPageHandler(handleHealthz)],
  ['/readyz', createPageHandler(handleReadyz)],
  ['/metrics', createPageHandler(metricsResponse)],
  ['/openapi.json', createPageHandler(handleOpenApiJson)],
  ['/openapi.yaml', createPageHandler(handleOpenApiYaml)],
  ['/asyncapi.json', createPageHandler(handleAsyncApiJson)],
  ['/oauth/callback', createPageHandler(oauthCallbackPage)],
  ['/.well-known/security.txt', createPageHandler(securityTextResponse)],
]);
const refuseOtherThanGet = createRefusalHandler(() => methodNotAllowedProblem(['GET']));

const PREFIX_HANDLERS: [string, RequestHandler][] = [
  ['/api/trpc/', handleTrpc],
  ['/api/auth/', handleBrowserAuth],
];

/** The address for clients of the Model Context Protocol. */
const MCP_PATH = '/mcp';

/** Path prefixes of the API: unknown paths below them are not passed to the web app. */
const API_PATH_PATTERN = /^\/(api|auth|webhooks|calls)(\/|$)/;

/** HEAD and OPTIONS ask about the address of a webhook. */
function findWebhookProbe(method: string, path: string): RequestHandler | undefined {
  if ((method !== 'HEAD' && method !== 'OPTIONS') || !path.startsWith('/webhooks/')) return undefined;
  const found = matchOperation('POST', path);
  return found && 'operation' in found ? createOperationHandler(probeWebhookOperation, found.params) : undefined;
}

/** The handler of a request; undefined: the web app answers it. */
export function findRequestHandler(method: string, path: string): RequestHandler | undefined {
  const handler = findUninspectedHandler(method, path);
  const { inspectReply } = getRuntime();
  if (!handler || !inspectReply) return handler;
  return async (arrival) => {
    const reply = await handler(arrival);
    await inspectReply(arrival, reply);
    return reply;
  };
}

/** HEAD is handled as a GET without a body. */
function findUninspectedHandler(method: string, path: string): RequestHandler | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === MCP_PATH) return method === 'POST' ? handleMcp : createOtherMethodHandler(method, ['POST']);
  const pageHandler = PAGE_HANDLERS.get(path);
  if (pageHandler) return isRead ? pageHandler : refuseOtherThanGet;
  const probing = findWebhookProbe(method, path);
  if (probing) return probing;
  const found = matchOperation(isRead ? 'GET' : method, path);
  if (found) {
    return 'operation' in found
      ? createOperationHandler(found.operation, found.params)
      : createOtherMethodHandler(method, found.allowed);
  }
  const prefixHandler = PREFIX_HANDLERS.find(([prefix]) => path.startsWith(prefix));
  if (prefixHandler) return prefixHandler[1];
  // Pages accept only GET and HEAD.
  return isRead && !API_PATH_PATTERN.test(path) ? undefined : handleNotFound;
}

/** Answers a Fetch API request, for the route handlers of Next.js. */
export async function routeWebRequest(request: Request): Promise<Response> {
  const arrival = receivedFromWeb(request);
  const handler = findRequestHandler(arrival.method, arrival.path) ?? handleNotFound;
  return toWebResponse(await handler(arrival));
}
