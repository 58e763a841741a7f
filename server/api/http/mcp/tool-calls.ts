import { ErrorResponse } from '@/contract/error-response';
import { ExecutionResponse } from '@/contract/execution';
import {
  GET_EXECUTION_TOOL_NAME,
  RESUME_EXECUTION_TOOL_NAME,
  type WorkflowTool,
} from '@/contract/workflows/workflow-tool';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { operationTable } from '@/server/api/operations';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import type { OperationRecord } from '@/server/api/operation/operation';
import { performOperation } from '@/server/api/pipeline/perform';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { createInnerCall, type CallParts } from '../inner-call';

const toolOperations: readonly OperationRecord[] = operationTable;

function requireOperation(id: string): OperationRecord {
  const found = toolOperations.find((one) => one.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

export const toolListOperation = requireOperation('workflows.tools');
const EXECUTE_OPERATION = requireOperation('workflows.execute');
const GET_EXECUTION_OPERATION = requireOperation('executions.get');
const RESUME_OPERATION = requireOperation('executions.resume');

/** Seconds that a call of a workflow waits for its end: clients give up after a minute. */
const TOOL_WAIT_SECONDS = 50;
/** The maximum length of an output, in characters. */
const MAX_TOOL_OUTPUT_LENGTH = 1024 * 1024;

export interface ToolCallResult {
  text: string;
  isError: boolean;
}

type ToolCallArguments = Record<string, unknown>;

/** Calls a tool as the sender of the request. */
export async function callWorkflowTool(
  arrival: ReceivedRequest,
  tool: WorkflowTool,
  given: ToolCallArguments,
): Promise<ToolCallResult> {
  const inner = (operation: OperationRecord, parts: CallParts) =>
    // A repeated request of a client is a new call: its keys are not those of the API.
    performOperation(
      operation,
      createInnerCall(operation, arrival, {
        ...parts,
        headers: { prefer: null, 'idempotency-key': null, ...parts.headers },
      }),
    );
  const { executionId, waitSeconds, ...body } = given;
  const params = { id: String(executionId) };
  if (tool.name === GET_EXECUTION_TOOL_NAME && tool.workflowId === null) {
    const seconds = typeof waitSeconds === 'number' ? Math.min(waitSeconds, TOOL_WAIT_SECONDS) : undefined;
    return toToolCallResult(await inner(GET_EXECUTION_OPERATION, { params, query: { waitSeconds: seconds } }));
  }
  if (tool.name === RESUME_EXECUTION_TOOL_NAME && tool.workflowId === null)
    return toToolCallResult(await inner(RESUME_OPERATION, { params, body }));
  const headers = { prefer: `wait=${TOOL_WAIT_SECONDS}` };
  return toToolCallResult(
    await inner(EXECUTE_OPERATION, {
      params: { id: tool.workflowId ?? '' },
      body: { input: given, startNodeId: tool.startNodeId },
      headers,
    }),
  );
}

function toToolCallResult({ status, body }: OperationResponse): ToolCallResult {
  if (status >= 400) {
    const { error } = ErrorResponse.parse(body);
    const details = error.details.map(({ field, message }) => `${field} ${message}`);
    return { text: [error.message, ...details].join('\n'), isError: true };
  }
  const execution = ExecutionResponse.safeParse(body).data;
  if (!execution) {
    const { executionId } = body as { executionId: string };
    const hint = `The run goes on. ${GET_EXECUTION_TOOL_NAME} reads its state.`;
    return { text: toolOutputText({ executionId, status: 'running', hint }), isError: false };
  }
  const { id, output, error, nodeResults } = execution;
  const approvals = nodeResults.flatMap(({ nodeId, status: state, asked }) =>
    state === 'paused' ? [{ nodeId, message: asked?.message ?? '', fields: asked?.fields ?? [] }] : [],
  );
  const rest = approvals.length > 0 ? { approvals } : {};
  const reason = error ? { error: { code: error.code, message: error.message } } : {};
  return {
    text: toolOutputText({ executionId: id, status: execution.status, ...rest, ...reason, output }),
    isError: execution.status === 'failed',
  };
}

function toolOutputText(value: object): string {
  const text = serializeJson(value) ?? '';
  return text.length <= MAX_TOOL_OUTPUT_LENGTH
    ? text
    : `${text.slice(0, MAX_TOOL_OUTPUT_LENGTH).toWellFormed()}… (cut)`;
}
