import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { readMcpMessage } from '@/server/evaluation/evaluator/read-mcp';
import { summarizeResponse } from '@/server/network/outbound/response-summary';
import { parseRetryAfter } from '@/server/network/outbound/content';
import { sendOutboundRequest, type OutboundResponse } from '@/server/network/outbound/outbound';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';

/** The content of the response to the last request. The library of the protocol does not see it. */
export interface ReceivedParts {
  parts: Record<string, unknown>;
}

/** The caller of a server, with the limits of its call. */
export interface McpCaller {
  signal: AbortSignal;
  /** Removes secrets from error texts. */
  secrets: ValueRedactor;
  reserve?: (bytes: number) => Promise<void>;
}

export const MAX_MCP_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_MCP_REASON_LENGTH = 500;

/** Statuses that a retry may change. */
const isRetriableStatus = (status: number) => status >= 500 || status === 408 || status === 429;

/**
 * The way out for the library of the protocol: the connections, limits and rules of `server/network/outbound`. The
 * stream of events that a client may open is refused: a call reads what its own answer brings. The server is foreign,
 * and the library checks each value that it sends, and each event, on the main thread: so it gets a short message in
 * place of the answer, whose content goes into `received`.
 */
export const createMcpFetch =
  (workspaceId: string, { signal, secrets, reserve }: McpCaller, received: ReceivedParts): FetchLike =>
  async (input, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return new Response(null, { status: 405 });
    const answer = await sendOutboundRequest({
      workspaceId,
      url: input,
      method,
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
      signal,
      reserve,
      // The timeout of the node aborts the signal.
      timeoutMs: null,
      maxBytes: MAX_MCP_RESPONSE_BYTES,
      followRedirects: false,
      isTraced: true,
    });
    const { status, headers, body } = answer;
    // A server that keeps no sessions need not end them.
    if (method === 'DELETE') return new Response(null, { status: 405 });
    if (status >= 300) throw mcpStatusFailure(answer, secrets);
    const session = headers['mcp-session-id'];
    const kept: Record<string, string> = session === undefined ? {} : { 'mcp-session-id': session };
    const { id, method: asked } = JSON.parse(String(init?.body)) as { id?: number; method: string };
    if (id === undefined) return new Response(null, { status: 202, headers: kept });
    const about = { id, method: asked, type: headers['content-type'] ?? '' };
    const { message, parts } = await readMcpMessage(body, about, { workspaceId, signal });
    received.parts = parts;
    return Response.json(message, { headers: kept });
  };

function mcpStatusFailure(response: OutboundResponse, secrets: ValueRedactor): NodeFailure {
  const { status, headers } = response;
  const answer = summarizeResponse(response, secrets);
  if (status === 401 || status === 403)
    return new NodeFailure('CREDENTIAL_REFUSED', `The MCP server answered ${status}.`, false, 0, { answer });
  const reason = answer.body?.slice(0, MAX_MCP_REASON_LENGTH).toWellFormed() || undefined;
  return createNodeFailure(
    'HTTP_STATUS',
    { server: 'The MCP server', status, reason },
    { isRetriable: isRetriableStatus(status), retryAfterMs: parseRetryAfter(headers['retry-after']), answer },
  );
}
