import { decodeUtf8InTurns } from '@/server/platform/timers/cooperative';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { parseUnlessLarge, MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import { bulkWorkLimits, evaluatorPool, type EvaluationContext } from './evaluation';
import { readMcpResponse, type McpResponse, type McpRequestInfo } from './mcp-response';

/** An answer of a server of the Model Context Protocol: an evaluator process reads a large one. Throws NodeFailure. */
export async function readMcpMessage(
  body: Buffer,
  request: McpRequestInfo,
  { workspaceId, signal }: EvaluationContext,
): Promise<McpResponse> {
  if (body.length <= MAX_PARSED_JSON) return readMcpResponse(body, request);
  const result = await evaluatorPool().run(
    workspaceId,
    { kind: 'read-mcp', limits: bulkWorkLimits(), request },
    [body],
    signal,
  );
  if (!result.ok) {
    const { code, message } = result.failure;
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
  const { header, texts } = result.message;
  const [message, ...parts] = await Promise.all(
    texts.map(async (text) => parseUnlessLarge(await decodeUtf8InTurns(text))),
  );
  const names = header.names ?? [];
  return { message: message as object, parts: Object.fromEntries(names.map((name, index) => [name, parts[index]])) };
}
