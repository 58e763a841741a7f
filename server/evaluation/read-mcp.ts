import { decodeInTurns } from '@/server/cooperative';
import { NodeFailure } from '@/server/errors/node-failure';
import { fromJson, MAX_PARSED } from '@/server/expressions/large-json';
import { bulk, pool, type Purpose } from './evaluation';
import { mcpAnswer, type McpAnswer, type McpRequest } from './mcp-answer';

/** An answer of a server of the Model Context Protocol: an evaluator process reads a large one. Throws NodeFailure. */
export async function readMcp(body: Buffer, request: McpRequest, { workspaceId, signal }: Purpose): Promise<McpAnswer> {
  if (body.length <= MAX_PARSED) return mcpAnswer(body, request);
  const result = await pool().run(workspaceId, { kind: 'read-mcp', limits: bulk(), request }, [body], signal);
  if (!result.ok) {
    const { code, message } = result.failure;
    throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
  }
  const { header, texts } = result.answer;
  const [message, ...parts] = await Promise.all(texts.map(async (text) => fromJson(await decodeInTurns(text))));
  const names = header.names ?? [];
  return { message: message as object, parts: Object.fromEntries(names.map((name, index) => [name, parts[index]])) };
}
