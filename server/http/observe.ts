import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestNotes } from '@/server/api/incoming';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import type { Span } from '@/server/tracing/tracing';

/** A request that is observed: by the access log, or a trace. */
export interface Observed {
  /** What its handler learns about it. */
  notes: RequestNotes;
  span: Span | undefined;
}

/** Parts of paths that may be an id or a token. */
const VARIABLE = /[^/]{16,}/g;

/** The path of a page without what may be secret: links in mails carry tokens. */
export const maskedPath = (url: string): string => (url.split('?', 1)[0] ?? '/').replace(VARIABLE, '…').slice(0, 200);

/**
 * Writes a line of the access log and ends the span of the request when its connection is done with it. Undefined if neither is configured.
 */
export function observe(request: IncomingMessage, response: ServerResponse, requestId: string): Observed | undefined {
  const { env, tracing } = runtime();
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
    const route = notes.route || maskedPath(request.url ?? '/');
    span?.end({
      name: `${method} ${route}`,
      attributes: { 'http.route': route, 'http.response.status_code': status, 'weft.operation': operation },
      error: status >= 500 ? String(status) : undefined,
    });
    if (!env.isAccessLogged) return;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const line = { requestId, method, route, operation, status, ms, ipAddress, traceId: span?.traceId };
    log().info(writableFinished ? line : { ...line, isAborted: true }, 'request');
  });
  return { notes, span };
}
