import { ListWorkflowToolsResponse } from '@/contract/workflows/workflow-tool';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import { requireJsonContentType, readJsonOrProblem } from '@/server/api/operation/json';
import { invalidRequestProblem, unauthorizedProblem } from '@/server/platform/errors/problem';
import { withResponseHeaders, performOperation } from '@/server/api/pipeline/perform';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { DEFAULT_MAX_BODY_BYTES } from '@/server/api/pipeline/steps/parse';
import { createRefusalHandler, type RequestHandler } from '../handlers';
import { createInnerCall } from '../inner-call';
import { toolListOperation } from './tool-calls';

const refuseAnonymous = createRefusalHandler(unauthorizedProblem);

/**
 * The address for clients of the Model Context Protocol (streamable HTTP, stateless): one message in each request. The
 * caller is identified by the list of tools, which is a call of its own; a called tool is a further call of an
 * operation, with all steps of the pipeline. Browser sessions are not accepted: a page elsewhere must not be able to
 * call tools.
 */
export const handleMcp: RequestHandler = async (arrival) => {
  const { headers, requestId } = arrival;
  if (!headers.has('authorization') && !headers.has('x-api-key')) return refuseAnonymous(arrival);
  return withResponseHeaders('mcp', requestId, (answerHeaders) => respondToMcp(arrival, answerHeaders));
};

async function respondToMcp(
  arrival: ReceivedRequest,
  answerHeaders: Record<string, string>,
): Promise<OperationResponse> {
  const listed = await performOperation(toolListOperation, createInnerCall(toolListOperation, arrival, {}));
  Object.assign(answerHeaders, listed.headers);
  if (listed.status >= 400) return listed;
  const { data: tools } = ListWorkflowToolsResponse.parse(listed.body);
  requireJsonContentType(arrival.headers);
  const message = await readJsonOrProblem(await arrival.readBody(DEFAULT_MAX_BODY_BYTES));
  // Batches are no part of the protocol any more, and would pass the rate limit as one call.
  if (Array.isArray(message)) throw invalidRequestProblem([], 'A request has one message.');
  // The library is loaded with the first message.
  const { respondToMcpMessage: answerMessage } = await import('./server');
  const raw = await answerMessage(arrival, tools, message);
  return { status: raw.status, headers: {}, raw };
}
