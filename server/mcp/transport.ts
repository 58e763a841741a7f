import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { NodeFailure } from '@/server/errors/node-failure';
import { readMcp } from '@/server/evaluation/read-mcp';
import { answerOf } from '@/server/outbound/answer';
import { retryAfterOf } from '@/server/outbound/content';
import { request, type OutboundResponse } from '@/server/outbound/outbound';
import type { Redactor } from '@/server/redaction/redactor';

/** What a server has given in answer to the last request; the library of the protocol does not see it. */
export interface Received {
  parts: Record<string, unknown>;
}

/** Who calls a server. */
export interface McpCaller {
  signal: AbortSignal;
  /** Removes secrets from error texts. */
  secrets: Redactor;
  reserve?: (bytes: number) => Promise<void>;
}

export const MAX_MCP_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_REASON = 500;

/** Statuses that a retry may change. */
const isPassing = (status: number) => status >= 500 || status === 408 || status === 429;

/**
 * The way out for the library of the protocol: the connections, limits and rules of `server/outbound`. The stream of events that a client
 * may open is refused: a call reads what its own answer brings. The server is foreign, and the library checks each value that it sends, and
 * each event, on the main thread: so it gets a short message in place of the answer, whose content goes into `received`.
 */
export const outboundFetch =
  (workspaceId: string, { signal, secrets, reserve }: McpCaller, received: Received): FetchLike =>
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
      maxBytes: MAX_MCP_ANSWER_BYTES,
      followRedirects: false,
      isTraced: true,
    });
    const { status, headers, body } = answer;
    // A server that keeps no sessions need not end them.
    if (method === 'DELETE') return new Response(null, { status: 405 });
    if (status >= 300) throw failureOf(answer, secrets);
    const session = headers['mcp-session-id'];
    const kept: Record<string, string> = session === undefined ? {} : { 'mcp-session-id': session };
    const { id, method: asked } = JSON.parse(String(init?.body)) as { id?: number; method: string };
    if (id === undefined) return new Response(null, { status: 202, headers: kept });
    const about = { id, method: asked, type: headers['content-type'] ?? '' };
    const { message, parts } = await readMcp(body, about, { workspaceId, signal });
    received.parts = parts;
    return Response.json(message, { headers: kept });
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
