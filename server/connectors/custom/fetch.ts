import { NodeFailure } from '@/server/platform/errors/node-failure';
import { MAX_DOCUMENT_BYTES } from '@/server/evaluation/openapi/record';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';

const DOCUMENT_TIMEOUT_MS = 30_000;

/** Reads a document from its address. `url` of the answer: after redirects. Throws NodeFailure. */
export async function fetchOpenApiDocument(workspaceId: string, url: string): Promise<{ text: string; url: string }> {
  const headers = { Accept: 'application/json, application/yaml, application/vnd.oai.openapi, */*;q=0.5' };
  const answer = await sendOutboundRequest({
    workspaceId,
    url,
    headers,
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    maxBytes: MAX_DOCUMENT_BYTES,
  });
  if (answer.status !== 200)
    throw new NodeFailure('HTTP_STATUS', `${new URL(answer.url).host} answered ${answer.status}.`, false);
  return { text: answer.body.toString('utf8'), url: answer.url };
}
