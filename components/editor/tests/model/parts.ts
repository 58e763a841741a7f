import type { Expectations, Mock, Mocks, NodeExpectation } from '@/contract/workflows/workflow-test';
import { outputFields, pathOf } from './output-fields';

/** A part of a test that the form can show, or why it can’t. */
export type Shown<Part> = { part: Part } | { reason: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasOnly = (value: Record<string, unknown>, names: readonly string[]) =>
  Object.keys(value).every((name) => names.includes(name));

const isTextIfAny = (value: unknown) => value === undefined || typeof value === 'string';

const isError = (value: unknown) =>
  isRecord(value) &&
  hasOnly(value, ['code', 'message']) &&
  typeof value['code'] === 'string' &&
  isTextIfAny(value['message']);

const isMock = (value: unknown): value is Mock =>
  isRecord(value) &&
  hasOnly(value, ['output', 'port', 'error']) &&
  isTextIfAny(value['port']) &&
  (value['error'] === undefined ||
    (isError(value['error']) && value['output'] === undefined && value['port'] === undefined));

/** The mocks of a JSON value. What the form shows and changes keeps every other part of the value. */
export function readMocks(value: unknown): Shown<Mocks> {
  if (!isRecord(value)) return { reason: 'It is not an object with the ids of nodes.' };
  const wrong = Object.keys(value).find((key) => !isMock(value[key]));
  if (wrong !== undefined) return { reason: `“${wrong}” is not a mock with either an output or an error.` };
  return { part: value as Mocks };
}

const STATUSES: readonly unknown[] = [undefined, 'completed', 'failed', 'not_run'];

const isWritable = (output: unknown) => outputFields(output).every((field) => pathOf(field) !== undefined);

const isExpectation = (value: unknown): value is NodeExpectation =>
  isRecord(value) &&
  hasOnly(value, ['status', 'port', 'output']) &&
  STATUSES.includes(value['status']) &&
  isTextIfAny(value['port']);

/** The expectations of a JSON value. */
export function readExpectations(value: unknown): Shown<Expectations> {
  if (!isRecord(value) || !hasOnly(value, ['status', 'output', 'nodes']))
    return { reason: 'It has other fields than “status”, “output” and “nodes”.' };
  const { status = 'completed', output, nodes = {} } = value;
  if (status !== 'completed' && status !== 'failed') return { reason: 'The status is not “completed” or “failed”.' };
  if (!isRecord(nodes)) return { reason: '“nodes” is not an object with the ids of nodes.' };
  const wrong = Object.keys(nodes).find((key) => !isExpectation(nodes[key]));
  if (wrong !== undefined) return { reason: `“${wrong}” has other fields than “status”, “port” and “output”.` };
  const outputs = [output, ...Object.values(nodes as Expectations['nodes']).map((one) => one.output)];
  if (!outputs.every(isWritable)) return { reason: 'A name in an output can’t be written as a path.' };
  return { part: { status, ...(output !== undefined && { output }), nodes: nodes as Expectations['nodes'] } };
}

/** An object without the fields that are undefined. */
export const defined = <Part extends object>(part: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as Part;
