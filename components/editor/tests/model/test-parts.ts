import type { TestExpectations, NodeMock, NodeMocks, NodeExpectation } from '@/contract/workflows/workflow-test';
import { splitExpectedOutput, outputFieldPath } from './output-fields';

/** A part of a test that the form can show, or why it can’t. */
export type ShowablePart<Part> = { part: Part } | { reason: string };

const isTestObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOnlyFields = (value: Record<string, unknown>, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name));

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string';

const isMockError = (value: unknown) =>
  isTestObject(value) &&
  hasOnlyFields(value, ['code', 'message']) &&
  typeof value['code'] === 'string' &&
  isOptionalText(value['message']);

const isSupportedMock = (value: unknown): value is NodeMock =>
  isTestObject(value) &&
  hasOnlyFields(value, ['output', 'port', 'error']) &&
  isOptionalText(value['port']) &&
  (value['error'] === undefined ||
    (isMockError(value['error']) && value['output'] === undefined && value['port'] === undefined));

/** The mocks of a JSON value. What the form shows and changes keeps every other part of the value. */
export function parseMocks(value: unknown): ShowablePart<NodeMocks> {
  if (!isTestObject(value)) return { reason: 'It is not an object with the ids of nodes.' };
  const wrong = Object.keys(value).find((key) => !isSupportedMock(value[key]));
  if (wrong !== undefined) return { reason: `“${wrong}” is not a mock with either an output or an error.` };
  return { part: value as NodeMocks };
}

const SUPPORTED_STATUSES: readonly unknown[] = [undefined, 'completed', 'failed', 'not_run'];

const hasWritablePaths = (output: unknown) =>
  splitExpectedOutput(output).every((field) => outputFieldPath(field) !== undefined);

const isNodeExpectation = (value: unknown): value is NodeExpectation =>
  isTestObject(value) &&
  hasOnlyFields(value, ['status', 'port', 'output']) &&
  SUPPORTED_STATUSES.includes(value['status']) &&
  isOptionalText(value['port']);

/** The expectations of a JSON value. */
export function parseExpectations(value: unknown): ShowablePart<TestExpectations> {
  if (!isTestObject(value) || !hasOnlyFields(value, ['status', 'output', 'nodes']))
    return { reason: 'It has other fields than “status”, “output” and “nodes”.' };
  const { status = 'completed', output, nodes = {} } = value;
  if (status !== 'completed' && status !== 'failed') return { reason: 'The status is not “completed” or “failed”.' };
  if (!isTestObject(nodes)) return { reason: '“nodes” is not an object with the ids of nodes.' };
  const wrong = Object.keys(nodes).find((key) => !isNodeExpectation(nodes[key]));
  if (wrong !== undefined) return { reason: `“${wrong}” has other fields than “status”, “port” and “output”.` };
  const outputs = [output, ...Object.values(nodes as TestExpectations['nodes']).map((one) => one.output)];
  if (!outputs.every(hasWritablePaths)) return { reason: 'A name in an output can’t be written as a path.' };
  return { part: { status, ...(output !== undefined && { output }), nodes: nodes as TestExpectations['nodes'] } };
}

/** An object without the fields that are undefined. */
export const omitUndefinedFields = <Part extends object>(part: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
