import type { ExecutionResponse, NodeResult } from '@/contract/execution';
import type {
  TestExpectations,
  ReplayNodeDifference,
  NodeExpectation,
  ExpectationFailure,
} from '@/contract/workflows/workflow-test';
import { containsExpectedJson, findJsonDifference, isEqualJson, readComparedItems } from './json-comparison';

const hasNodeRun = (result: NodeResult | undefined) => result?.status === 'completed' || result?.status === 'failed';

async function nodeTestFailures(
  nodeId: string,
  expected: NodeExpectation,
  result: NodeResult | undefined,
): Promise<ExpectationFailure[]> {
  const failures: ExpectationFailure[] = [];
  const ended = result && hasNodeRun(result) ? result.status : 'not_run';
  const reason = result?.error ? `: ${result.error.code}, ${result.error.message}` : '';
  const words = { completed: 'to complete', failed: 'to fail', not_run: 'not to run' };
  if (expected.status && expected.status !== ended)
    failures.push({
      nodeId,
      message: `The node was expected ${words[expected.status]}${reason}.`,
      expected: expected.status,
      actual: ended,
    });
  if (expected.port !== undefined && expected.port !== result?.port)
    failures.push({
      nodeId,
      message: 'The node takes another port.',
      expected: expected.port,
      actual: result?.port,
    });
  if (expected.output !== undefined && !(await containsExpectedJson(expected.output, result?.output)))
    failures.push({
      nodeId,
      message: result?.omitted?.includes('output')
        ? 'The output is too large to be compared.'
        : 'The output of the node differs.',
      expected: expected.output,
      actual: result?.output,
    });
  if (expected.items !== undefined && ended === 'completed' && !result?.omitted?.includes('output')) {
    const found = await findJsonDifference(
      await readComparedItems(expected.items),
      await readComparedItems(result?.output),
    );
    if (found) {
      const { path: field, ...values } = found;
      failures.push({ nodeId, message: `Its items differ at \`${field}\`.`, field, ...values });
    }
  } else if (expected.items !== undefined && ended === 'completed')
    failures.push({ nodeId, message: 'The output is too large to be compared.', expected: expected.items });
  return failures;
}

/** Finds the expectations that a finished run does not meet. The list is empty if the test has passed. */
export async function findTestFailures(
  execution: ExecutionResponse,
  { status, output, nodes }: TestExpectations,
): Promise<ExpectationFailure[]> {
  const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
  const failures: ExpectationFailure[] = [];
  if (execution.status !== status) {
    const { error } = execution;
    const reason = error ? `: ${error.code}, ${error.message}` : '';
    const message = `The run was expected to ${status === 'completed' ? 'complete' : 'fail'}${reason}.`;
    failures.push({ nodeId: error?.nodeId ?? null, message, expected: status, actual: execution.status });
  }
  if (output !== undefined && !(await containsExpectedJson(output, execution.output)))
    failures.push({
      nodeId: null,
      message: 'The output of the run differs.',
      expected: output,
      actual: execution.output,
    });
  for (const [nodeId, expected] of Object.entries(nodes))
    failures.push(...(await nodeTestFailures(nodeId, expected, results.get(nodeId))));
  return failures;
}

/** Finds the nodes whose status, port or output differs between two runs. */
export async function findNodeDifferences(
  before: ExecutionResponse,
  after: ExecutionResponse,
): Promise<ReplayNodeDifference[]> {
  const ran = ({ nodeResults }: ExecutionResponse) =>
    new Map(nodeResults.filter(hasNodeRun).map((result) => [result.nodeId, result]));
  const [olds, news] = [ran(before), ran(after)];
  const sideOf = (result: NodeResult | undefined) => ({
    status: result?.status ?? null,
    ...(result && 'output' in result && { output: result.output }),
  });
  const differences: ReplayNodeDifference[] = [];
  for (const nodeId of new Set([...olds.keys(), ...news.keys()])) {
    const [old, next] = [olds.get(nodeId), news.get(nodeId)];
    const change = await classifyNodeChange(old, next);
    if (change) differences.push({ nodeId, change, before: sideOf(old), after: sideOf(next) });
  }
  return differences;
}

async function classifyNodeChange(
  old: NodeResult | undefined,
  next: NodeResult | undefined,
): Promise<ReplayNodeDifference['change'] | undefined> {
  if (!old) return 'newly_run';
  if (!next) return 'no_longer_run';
  if (old.status !== next.status || old.port !== next.port) return 'status';
  return (await isEqualJson(old.output, next.output)) ? undefined : 'output';
}
