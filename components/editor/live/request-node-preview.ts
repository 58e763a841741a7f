import type { PreviewedNodes, PreviewNodesRequest } from '@/contract/workflows/node-preview';
import { requestService } from '@/components/client/service-request';

/** Lets the service compute nodes. Nothing outside is called. Throws ServiceRefusal and TypeError. */
export async function requestNodePreview(body: PreviewNodesRequest, signal: AbortSignal): Promise<PreviewedNodes> {
  const headers = { 'content-type': 'application/json' };
  const answer = await requestService('/api/nodes/preview', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  return (await answer.json()) as PreviewedNodes;
}
