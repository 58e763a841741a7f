import { isDeepStrictEqual } from 'node:util';
import type { Execution, NodeResult } from '@/contract/execution';
import type { Expectations, NodeDifference, NodeExpectation, TestFailure } from '@/contract/workflows/workflow-test';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value contains what is expected: objects may have further fields, everything else must be equal. */
export function contains(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => contains(item, actual[index]))
    );
  if (!isRecord(expected)) return isDeepStrictEqual(expected, actual);
  return (
    isRecord(actual) &&
    Object.entries(expected).every(([name, value]) => Object.hasOwn(actual, name) && contains(value, actual[name]))
  );
}

const hasRun = (result: NodeResult | undefined) => result?.status === 'completed' || result?.status === 'failed';

function nodeFailures(nodeId: string, expected: NodeExpectation, result: NodeResult | undefined): TestFailure[] {
  const failures: TestFailure[] = [];
  const ended = result && hasRun(result) ? result.status : 'not_run';
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
  if (expected.output !== undefined && !contains(expected.output, result?.output))
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

/** What a finished run does not fulfil; empty: the test has passed. */
export function failuresOf(execution: Execution, { status, output, nodes }: Expectations): TestFailure[] {
  const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
  const failures: TestFailure[] = [];
  if (execution.status !== status) {
    const { error } = execution;
    const reason = error ? `: ${error.code}, ${error.message}` : '';
    const message = `The run was expected to ${status === 'completed' ? 'complete' : 'fail'}${reason}.`;
    failures.push({ nodeId: error?.nodeId ?? null, message, expected: status, actual: execution.status });
  }
  if (output !== undefined && !contains(output, execution.output))
    failures.push({
      nodeId: null,
      message: 'The output of the run differs.',
      expected: output,
      actual: execution.output,
    });
  for (const [nodeId, expected] of Object.entries(nodes))
    failures.push(...nodeFailures(nodeId, expected, results.get(nodeId)));
  return failures;
}

/** The nodes of two runs that differ: in status, or in output. */
export function differencesOf(before: Execution, after: Execution): NodeDifference[] {
  const ran = ({ nodeResults }: Execution) =>
    new Map(nodeResults.filter(hasRun).map((result) => [result.nodeId, result]));
  const [olds, news] = [ran(before), ran(after)];
  const sideOf = (result: NodeResult | undefined) => ({
    status: result?.status ?? null,
    ...(result && 'output' in result && { output: result.output }),
  });
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((nodeId) => {
    const [old, next] = [olds.get(nodeId), news.get(nodeId)];
    const change = changeBetween(old, next);
    return change ? [{ nodeId, change, before: sideOf(old), after: sideOf(next) }] : [];
  });
}

function changeBetween(
  old: NodeResult | undefined,
  next: NodeResult | undefined,
): NodeDifference['change'] | undefined {
  if (!old) return 'newly_run';
  if (!next) return 'no_longer_run';
  if (old.status !== next.status || old.port !== next.port) return 'status';
  return isDeepStrictEqual(old.output, next.output) ? undefined : 'output';
}
