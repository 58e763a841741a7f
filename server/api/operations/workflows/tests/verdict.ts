import { isDeepStrictEqual } from 'node:util';
import type { ExecutionResponse, NodeResult } from '@/contract/execution';
import type {
  TestExpectations,
  ReplayNodeDifference,
  NodeExpectation,
  ExpectationFailure,
} from '@/contract/workflows/workflow-test';

const isKeyedObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value contains what is expected: objects may have further fields, everything else must be equal. */
export function containsExpected(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => containsExpected(item, actual[index]))
    );
  if (!isKeyedObject(expected)) return isDeepStrictEqual(expected, actual);
  return (
    isKeyedObject(actual) &&
    Object.entries(expected).every(
      ([name, value]) => Object.hasOwn(actual, name) && containsExpected(value, actual[name]),
    )
  );
}

const hasNodeRun = (result: NodeResult | undefined) => result?.status === 'completed' || result?.status === 'failed';

function nodeTestFailures(
  nodeId: string,
  expected: NodeExpectation,
  result: NodeResult | undefined,
): ExpectationFailure[] {
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
  if (expected.output !== undefined && !containsExpected(expected.output, result?.output))
    failures.push({
      nodeId,
      message: result?.omitted?.includes('output')
        ? 'The output is too large to be compared.'
        : 'The output of the node differs.',
      expected: expected.output,
      actual: result?.output,
    });
  return failures;
}

/** Finds the expectations that a finished run does not meet. The list is empty if the test has passed. */
export function findTestFailures(
  execution: ExecutionResponse,
  { status, output, nodes }: TestExpectations,
): ExpectationFailure[] {
  const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
  const failures: ExpectationFailure[] = [];
  if (execution.status !== status) {
    const { error } = execution;
    const reason = error ? `: ${error.code}, ${error.message}` : '';
    const message = `The run was expected to ${status === 'completed' ? 'complete' : 'fail'}${reason}.`;
    failures.push({ nodeId: error?.nodeId ?? null, message, expected: status, actual: execution.status });
  }
  if (output !== undefined && !containsExpected(output, execution.output))
    failures.push({
      nodeId: null,
      message: 'The output of the run differs.',
      expected: output,
      actual: execution.output,
    });
  for (const [nodeId, expected] of Object.entries(nodes))
    failures.push(...nodeTestFailures(nodeId, expected, results.get(nodeId)));
  return failures;
}

/** Finds the nodes whose status, port or output differs between two runs. */
export function findNodeDifferences(before: ExecutionResponse, after: ExecutionResponse): ReplayNodeDifference[] {
  const ran = ({ nodeResults }: ExecutionResponse) =>
    new Map(nodeResults.filter(hasNodeRun).map((result) => [result.nodeId, result]));
  const [olds, news] = [ran(before), ran(after)];
  const sideOf = (result: NodeResult | undefined) => ({
    status: result?.status ?? null,
    ...(result && 'output' in result && { output: result.output }),
  });
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((nodeId) => {
    const [old, next] = [olds.get(nodeId), news.get(nodeId)];
    const change = classifyNodeChange(old, next);
    return change ? [{ nodeId, change, before: sideOf(old), after: sideOf(next) }] : [];
  });
}

function classifyNodeChange(
  old: NodeResult | undefined,
  next: NodeResult | undefined,
): ReplayNodeDifference['change'] | undefined {
  if (!old) return 'newly_run';
  if (!next) return 'no_longer_run';
  if (old.status !== next.status || old.port !== next.port) return 'status';
  return isDeepStrictEqual(old.output, next.output) ? undefined : 'output';
}
