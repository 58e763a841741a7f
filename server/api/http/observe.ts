import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestNotes } from '@/server/api/operation/incoming';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import type { TraceSpan } from '@/server/platform/tracing/tracing';

/** A request that is observed: by the access log, or a trace. */
export interface ObservedRequest {
  /** Details that the handler adds for the access log. */
  notes: RequestNotes;
  span: TraceSpan | undefined;
}

/** Parts of paths that may be an id or a token. */
const VARIABLE_PATH_PART = /[^/]{16,}/g;

/** The path of a page without what may be secret: links in mails carry tokens. */
export const maskPagePath = (url: string): string =>
  (url.split('?', 1)[0] ?? '/').replace(VARIABLE_PATH_PART, '…').slice(0, 200);

/**
 * Writes a line of the access log and ends the span of the request when its connection is done with it. Undefined if
 * neither is configured.
 */
export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): ObservedRequest | undefined {
  const { env, tracing } = getRuntime();
  if (!tracing && !env.isAccessLogged) return undefined;
  const { method = 'GET' } = request;
  const startedAt = performance.now();
  const { traceparent } = request.headers;
  const span = tracing?.start({
    name: method,
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: { 'http.request.method': method, 'weft.request.id': requestId },
  });
  const notes: RequestNotes = {};
  response.once('close', () => {
    const { statusCode: status, writableFinished } = response;
    const { operation, ipAddress } = notes;
    const route = notes.route || maskPagePath(request.url ?? '/');
    span?.end({
      name: `${method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': status, 'weft.operation': operation },
      error: status >= 500 ? String(status) : undefined,
    });
    if (!env.isAccessLogged) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const line = { requestId, method, route, operation, status, ms, ipAddress, traceId: span?.traceId };
    serviceLog().info(writableFinished ? line : { ...line, isAborted: true }, 'request');
  });
  return { notes, span };
}
