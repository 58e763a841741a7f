import { NodeFailure } from '@/server/platform/errors/node-failure';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { parseJsonInPieces } from '@/server/platform/messages/json-in-pieces';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';

/** A running n8n, for one request. */
export interface N8nServer {
  workspaceId: string;
  /** Its address, with or without the path of its API. */
  url: string;
  key: string;
}

const ANSWER_TIMEOUT_MS = 30_000;
const ANSWER_LIMITS = { depth: 200, values: 1_000_000, fields: 100_000 };

/** The address of its API: people copy the address of a page, too. */
function n8nApiUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(/^https?:\/\//i.test(url.trim()) ? url.trim() : `https://${url.trim()}`);
  } catch {
    throw invalidFieldProblem('url', 'must be the address of n8n, such as https://n8n.example.com');
  }
  const path = parsed.pathname.replace(/\/(?:api\/v1|home|workflows?|settings)(?:\/.*)?$/, '').replace(/\/$/, '');
  return `${parsed.origin}${path}/api/v1`;
}

/** An answer of n8n that is larger than the caller reads. */
export class N8nAnswerTooLarge extends Error {
  override readonly name = 'N8nAnswerTooLarge';
}

/**
 * Asks the API of n8n. The key is sent to its origin alone. Throws a 400 at `url` or `key`, and N8nAnswerTooLarge.
 */
export async function askN8n(
  { workspaceId, url, key }: N8nServer,
  path: string,
  { maxBytes, timeoutMs = ANSWER_TIMEOUT_MS }: { maxBytes: number; timeoutMs?: number },
): Promise<{ value: Record<string, unknown>; bytes: number }> {
  const base = n8nApiUrl(url);
  const headers = { Accept: 'application/json', 'X-N8N-API-KEY': key.trim() };
  let text: string;
  let status: number;
  let bytes: number;
  try {
    const answer = await sendOutboundRequest({
      workspaceId,
      url: `${base}${path}`,
      headers,
      timeoutMs,
      maxBytes,
      followRedirects: 'same-origin',
    });
    status = answer.status;
    bytes = answer.body.length;
    text = await decodeUtf8InTurns(answer.body);
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    if (error.code === 'TOO_LARGE') throw new N8nAnswerTooLarge(error.message);
    throw invalidFieldProblem('url', `cannot be read: ${error.message}`);
  }
  if (status === 401 || status === 403) throw invalidFieldProblem('key', `is refused by n8n (status ${status})`);
  if (status !== 200)
    throw invalidFieldProblem('url', `answers ${status} at ${new URL(base).pathname}${path.split('?')[0]}`);
  const value = await parseN8nAnswer(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidFieldProblem('url', 'does not answer as the API of n8n does');
  return { value: value as Record<string, unknown>, bytes };
}

async function parseN8nAnswer(text: string): Promise<unknown> {
  try {
    return await parseJsonInPieces(text, ANSWER_LIMITS, {
      parse: JSON.parse,
      check: () => undefined,
      exceeded: (limit) => new RangeError(`has too many ${limit}`),
    });
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'is no JSON';
    throw invalidFieldProblem('url', `gives an answer that ${reason}`);
  }
}
