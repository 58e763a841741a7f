import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_DOCUMENT_BYTES } from '@/server/openapi/record';
import { request } from '@/server/outbound/outbound';

const TIMEOUT_MS = 30_000;

/** Reads a document from its address. `url` of the answer: after redirects. Throws NodeFailure. */
export async function fetchDocument(workspaceId: string, url: string): Promise<{ text: string; url: string }> {
  const headers = { Accept: 'application/json, application/yaml, application/vnd.oai.openapi, */*;q=0.5' };
  const answer = await request({ workspaceId, url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES });
  if (answer.status !== 200)
    throw new NodeFailure('HTTP_STATUS', `${new URL(answer.url).host} answered ${answer.status}.`, false);
  return { text: answer.body.toString('utf8'), url: answer.url };
}
