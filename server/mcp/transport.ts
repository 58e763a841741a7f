import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { NodeFailure } from '@/server/errors/node-failure';
import { answerOf } from '@/server/outbound/answer';
import { retryAfterOf } from '@/server/outbound/content';
import { request, type OutboundResponse } from '@/server/outbound/outbound';
import type { Redactor } from '@/server/redaction/redactor';

/** Who calls a server. */
export interface McpCaller {
  signal: AbortSignal;
  /** Removes secrets from error texts. */
  secrets: Redactor;
  reserve?: (bytes: number) => Promise<void>;
}

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REASON = 500;

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

/**
 * The way out for the library of the protocol: the connections, limits and rules of `server/outbound`. The stream of events that a client
 * may open is refused: a call reads what its own answer brings.
 */
export const outboundFetch =
  (workspaceId: string, { signal, secrets, reserve }: McpCaller): FetchLike =>
  async (input, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return new Response(null, { status: 405 });
    const answer = await request({
      workspaceId,
      url: input,
      method,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
      signal,
      reserve,
      // The timeout of the node aborts the signal.
      timeoutMs: null,
      maxBytes: MAX_BYTES,
      followRedirects: false,
      isTraced: true,
    });
    const { status, headers, body } = answer;
    // A server that keeps no sessions need not end them.
    if (status >= 300 && method !== 'DELETE') throw failureOf(answer, secrets);
    const kept = ['content-type', 'mcp-session-id'].flatMap((name) => (headers[name] ? [[name, headers[name]]] : []));
    return new Response(body.length > 0 ? new Uint8Array(body) : null, {
      status,
      headers: Object.fromEntries(kept) as Record<string, string>,
    });
  };

function failureOf(response: OutboundResponse, secrets: Redactor): NodeFailure {
  const { status, headers } = response;
  const answer = answerOf(response, secrets);
  if (status === 401 || status === 403)
    return new NodeFailure('CREDENTIAL_REFUSED', `The MCP server answered ${status}.`, false, 0, { answer });
  const reason = (answer.body ?? '').slice(0, MAX_REASON).toWellFormed();
  return new NodeFailure(
    'HTTP_STATUS',
    `The MCP server answered ${status}${reason === '' ? '' : `: ${reason}`}`,
    isPassing(status),
    retryAfterOf(headers['retry-after']),
    { answer },
  );
}
