import { ErrorBody } from '@/contract/error';
import { Execution } from '@/contract/execution';
import { GET_EXECUTION, RESUME_EXECUTION, type WorkflowTool } from '@/contract/workflows/workflow-tool';
import { jsonOf } from '@/server/expressions/large-json';
import { operations } from '@/server/operations';
import type { Arrival } from '@/server/api/incoming';
import type { Operation } from '@/server/api/operation';
import { perform } from '@/server/pipeline/perform';
import type { Reply } from '@/server/pipeline/steps/answer';
import { innerCall, type CallParts } from '../inner-call';

const all: readonly Operation[] = operations;

function operationNamed(id: string): Operation {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

export const listTools = operationNamed('workflows.tools');
const EXECUTE = operationNamed('workflows.execute');
const GET = operationNamed('executions.get');
const RESUME = operationNamed('executions.resume');

/** Seconds that a call of a workflow waits for its end: clients give up after a minute. */
const WAIT_SECONDS = 50;
/** Characters of an output. */
const MAX_OUTPUT = 1024 * 1024;

export interface CallAnswer {
  text: string;
  isError: boolean;
}

type Arguments = Record<string, unknown>;

/** Calls a tool as the sender of the request. */
export async function callTool(arrival: Arrival, tool: WorkflowTool, given: Arguments): Promise<CallAnswer> {
  const inner = (operation: Operation, parts: CallParts) =>
    // A repeated request of a client is a new call: its keys are not those of the API.
    perform(
      operation,
      innerCall(operation, arrival, { ...parts, headers: { prefer: null, 'idempotency-key': null, ...parts.headers } }),
    );
  const { executionId, waitSeconds, ...body } = given;
  const params = { id: String(executionId) };
  if (tool.name === GET_EXECUTION && tool.workflowId === null) {
    const seconds = typeof waitSeconds === 'number' ? Math.min(waitSeconds, WAIT_SECONDS) : undefined;
    return answerOf(await inner(GET, { params, query: { waitSeconds: seconds } }));
  }
  if (tool.name === RESUME_EXECUTION && tool.workflowId === null)
    return answerOf(await inner(RESUME, { params, body }));
  const headers = { prefer: `wait=${WAIT_SECONDS}` };
  return answerOf(await inner(EXECUTE, { params: { id: tool.workflowId ?? '' }, body: { input: given }, headers }));
}

function answerOf({ status, body }: Reply): CallAnswer {
  if (status >= 400) {
    const { error } = ErrorBody.parse(body);
    const details = error.details.map(({ field, message }) => `${field} ${message}`);
    return { text: [error.message, ...details].join('\n'), isError: true };
  }
  const execution = Execution.safeParse(body).data;
  if (!execution) {
    const { executionId } = body as { executionId: string };
    const hint = `The run goes on. ${GET_EXECUTION} reads its state.`;
    return { text: textOf({ executionId, status: 'running', hint }), isError: false };
  }
  const { id, output, error, nodeResults } = execution;
  const approvals = nodeResults.flatMap(({ nodeId, status: state, asked }) =>
    state === 'paused' ? [{ nodeId, message: asked?.message ?? '', fields: asked?.fields ?? [] }] : [],
  );
  const rest = approvals.length > 0 ? { approvals } : {};
  const reason = error ? { error: { code: error.code, message: error.message } } : {};
  return {
    text: textOf({ executionId: id, status: execution.status, ...rest, ...reason, output }),
    isError: execution.status === 'failed',
  };
}

function textOf(value: object): string {
  const text = jsonOf(value) ?? '';
  return text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT).toWellFormed()}… (cut)`;
}
