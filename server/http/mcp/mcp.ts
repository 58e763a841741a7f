import { WorkflowToolList } from '@/contract/workflows/workflow-tool';
import type { Arrival } from '@/server/api/incoming';
import { checkContentType, readJson } from '@/server/api/json';
import { invalid, unauthorized } from '@/server/errors/problem';
import { answering, perform } from '@/server/pipeline/perform';
import type { Reply } from '@/server/pipeline/steps/answer';
import { DEFAULT_MAX_BODY } from '@/server/pipeline/steps/parse';
import { refusalHandler, type Handler } from '../handlers';
import { innerCall } from '../inner-call';
import { listTools } from './called';

const anonymous = refusalHandler(unauthorized);

/**
 * The address for clients of the Model Context Protocol (streamable HTTP, stateless): one message in each request. The caller is
 * identified by the list of tools, which is a call of its own; a called tool is a further call of an operation, with all steps of the
 * pipeline. Browser sessions are not accepted: a page elsewhere must not be able to call tools.
 */
export const mcpHandler: Handler = async (arrival) => {
  const { headers, requestId } = arrival;
  if (!headers.has('authorization') && !headers.has('x-api-key')) return anonymous(arrival);
  return answering('mcp', requestId, (answerHeaders) => answerTo(arrival, answerHeaders));
};

async function answerTo(arrival: Arrival, answerHeaders: Record<string, string>): Promise<Reply> {
  const listed = await perform(listTools, innerCall(listTools, arrival, {}));
  Object.assign(answerHeaders, listed.headers);
  if (listed.status >= 400) return listed;
  const { data: tools } = WorkflowToolList.parse(listed.body);
  checkContentType(arrival.headers);
  const message = await readJson(await arrival.readBody(DEFAULT_MAX_BODY));
  // Batches are no part of the protocol any more, and would pass the rate limit as one call.
  if (Array.isArray(message)) throw invalid([], 'A request has one message.');
  // The library is loaded with the first message.
  const { answerMessage } = await import('./server');
  const raw = await answerMessage(arrival, tools, message);
  return { status: raw.status, headers: {}, raw };
}
