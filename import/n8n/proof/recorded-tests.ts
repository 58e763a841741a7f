import type { NodeExpectation, NodeMock, TestExpectations } from '@/contract/workflows/workflow-test';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed } from '../file';
import { isTriggerNode } from '../starts/convert-trigger';
import { isDataNode } from './data-nodes';
import { readItemFields, readRecordedRun, type RecordedNodeRun, type RecordedRun } from './recorded-run';

/** A test that repeats a run of n8n: what acts outside is answered from the record. */
export interface RecordedTest {
  name: string;
  input: Record<string, unknown>;
  mocks: Record<string, NodeMock>;
  expectations: TestExpectations;
  startNodeId: string | null;
}

/** A node of n8n beside the node that replaces it. */
interface ProvedNode {
  name: string;
  type: string;
  isTrigger: boolean;
  /** The start node of a trigger. A node that makes n8n's fields of its input has the name of the trigger. */
  start: WorkflowNode | undefined;
  isDisabled: boolean;
  hasErrorOutput: boolean;
  node: WorkflowNode;
  /** The node before it that calls what is outside, if that is a node of its own. */
  call: WorkflowNode | undefined;
  /** Nodes beside it that keep something between runs, and the one that has the items that it discards. */
  kept: WorkflowNode[];
  discarded: WorkflowNode | undefined;
}

/** Whether a node gives what the record has: it acts outside, or depends on what runs before have kept. */
const isAnswered = ({ type, call, kept }: ProvedNode): boolean =>
  !isDataNode(type) || call?.type === 'remember' || kept.length > 0;

/** Each part of a test may have so many characters of JSON. */
const MAX_TEST_PART = 1024 * 1024;

/** Headers of callers that prove who they are: a test is read by everyone who may read the workflow. */
const SECRET_HEADER_PATTERN = /auth|cookie|token|secret|key|signature/i;

/** The fields of an item as the input of a run, without what proves who has called. */
function toTestInput(item: unknown): Record<string, unknown> {
  const fields = asN8nObject(item);
  if (!('headers' in fields)) return { ...fields };
  const headers = Object.entries(asN8nObject(fields['headers'])).filter(([name]) => !SECRET_HEADER_PATTERN.test(name));
  return { ...fields, headers: Object.fromEntries(headers) };
}

/** The nodes of a file that are found in the definition by their names, outside of loops. */
function listProvedNodes(file: unknown, definition: WorkflowDefinition): ProvedNode[] {
  const { nodes } = definition;
  const byName = new Map(nodes.toReversed().map((node) => [node.name ?? '', node]));
  const starts = nodes.filter(({ type }) => type === 'start');
  return asN8nObjects(asN8nObject(file)['nodes']).flatMap(({ name, type, disabled, onError }) => {
    if (typeof name !== 'string' || typeof type !== 'string') return [];
    const isTrigger = isTriggerNode({ type } as Parameters<typeof isTriggerNode>[0]);
    const named = byName.get(cutWellFormed(name, 200));
    const ownStart = named?.type === 'start' ? named : byName.get(`${cutWellFormed(name, 200)}: start`);
    const start = isTrigger ? (ownStart ?? (starts.length === 1 ? starts[0] : undefined)) : undefined;
    const node = named ?? start;
    if (!node) return [];
    const hasErrorOutput = onError === 'continueErrorOutput';
    return [
      {
        name,
        type,
        isTrigger,
        start,
        isDisabled: disabled === true,
        hasErrorOutput,
        node,
        call: byName.get(`${cutWellFormed(name, 200)}: call`),
        kept: ['kept', 'store'].flatMap((word) => byName.get(`${cutWellFormed(name, 200)}: ${word}`) ?? []),
        discarded: byName.get(`${cutWellFormed(name, 200)}: discarded`),
      },
    ];
  });
}

/** The tests that repeat recorded runs. `leftOut`: runs without data, and those that are too large. */
export function recordN8nRuns(
  file: unknown,
  definition: WorkflowDefinition,
  runs: readonly unknown[],
): { tests: RecordedTest[]; leftOut: number } {
  const nodes = listProvedNodes(file, definition);
  const tests = runs.flatMap((run) => {
    const recorded = readRecordedRun(run);
    const test = recorded && recordTest(nodes, definition, recorded);
    return test && isStorable(test) ? [test] : [];
  });
  return { tests, leftOut: runs.length - tests.length };
}

const isStorable = ({ input, mocks, expectations }: RecordedTest): boolean =>
  [input, mocks, expectations].every((part) => JSON.stringify(part).length <= MAX_TEST_PART);

function recordTest(nodes: readonly ProvedNode[], definition: WorkflowDefinition, run: RecordedRun): RecordedTest {
  const mocks: Record<string, NodeMock> = {};
  const expected: Record<string, NodeExpectation> = {};
  const hasRun = ({ name }: ProvedNode) => run.nodes.has(name);
  const trigger = nodes.find((one) => one.isTrigger && hasRun(one));
  const begin = readStart(trigger, trigger && run.nodes.get(trigger.name)?.outputs[0], definition);
  if (begin.mock && trigger) mocks[trigger.node.id] = begin.mock;
  for (const one of nodes) {
    if (one.isTrigger || one.isDisabled) continue;
    const recorded = run.nodes.get(one.name);
    if (recorded && (isAnswered(one) || run.pinned.has(one.name))) Object.assign(mocks, toMocks(one, recorded));
    else expected[one.node.id] = recorded ? toExpectation(recorded) : { status: 'not_run' };
  }
  const when = run.startedAt === '' ? '' : `, ${run.startedAt}`;
  return {
    name: `n8n run ${run.id}${when}`,
    input: begin.input,
    mocks,
    expectations: { status: run.hasFailed ? 'failed' : 'completed', nodes: expected },
    startNodeId: begin.startNodeId,
  };
}

/**
 * How a run begins: one item of a trigger is the input; several are the output of the start node. Where a node makes
 * n8n's fields of the input, the items are the output of that node.
 */
function readStart(
  trigger: ProvedNode | undefined,
  items: readonly unknown[] = [],
  { nodes }: WorkflowDefinition,
): { input: Record<string, unknown>; mock?: NodeMock; startNodeId: string | null } {
  const hasSeveralStarts = nodes.filter(({ type }) => type === 'start').length > 1;
  const startNodeId = hasSeveralStarts ? (trigger?.start?.id ?? null) : null;
  const isMade = trigger !== undefined && trigger.node.type !== 'start';
  return {
    input: toTestInput(items[0]),
    ...(items.length > 1 || (isMade && items.length > 0) ? { mock: { output: items } } : {}),
    startNodeId,
  };
}

/** The mocks that answer a node from the record, by the ids of nodes. */
function toMocks(
  { node, call, kept, discarded, hasErrorOutput }: ProvedNode,
  { outputs, error }: RecordedNodeRun,
): Record<string, NodeMock> {
  if (error !== undefined) return { [(call ?? node).id]: { error: { code: 'N8N', message: error } } };
  const used = outputs.findIndex((items) => items.length > 0);
  const isFailure = hasErrorOutput && used > 0 && used === outputs.length - 1;
  const items = outputs[discarded ? 0 : Math.max(used, 0)] ?? [];
  return {
    [node.id]: isFailure ? { output: items, port: 'error' } : { output: items },
    ...(call && { [call.id]: { output: items } }),
    ...(discarded && { [discarded.id]: { output: outputs[1] ?? [] } }),
    ...Object.fromEntries(kept.map(({ id }) => [id, { output: {} }])),
  };
}

/** What is expected of a node that computes. Which items a node with several outputs gives show the nodes behind it. */
function toExpectation({ outputs, error }: RecordedNodeRun): NodeExpectation {
  if (error !== undefined) return { status: 'failed' };
  const [items = []] = outputs;
  return outputs.length > 1 ? { status: 'completed' } : { status: 'completed', items };
}

/** What a file has pinned, by the nodes that replace those of n8n. */
export function readPinnedOutputs(
  file: unknown,
  definition: WorkflowDefinition,
): { nodeId: string; output: unknown }[] {
  const pinData = asN8nObject(asN8nObject(file)['pinData']);
  return listProvedNodes(file, definition).flatMap(({ name, node, call, discarded }) => {
    if (!Object.hasOwn(pinData, name)) return [];
    const output = readItemFields(pinData[name]);
    return [
      { nodeId: node.id, output },
      ...(call ? [{ nodeId: call.id, output }] : []),
      ...(discarded ? [{ nodeId: discarded.id, output: [] }] : []),
    ];
  });
}

/**
 * The test that pinned data alone makes: pinned nodes that act outside are answered, those that compute have to give
 * what was pinned. Undefined: nothing is pinned, or a node that acts outside is not.
 */
export function recordPinnedTest(file: unknown, definition: WorkflowDefinition): RecordedTest | undefined {
  const pinData = asN8nObject(asN8nObject(file)['pinData']);
  const nodes = listProvedNodes(file, definition).filter(({ isDisabled }) => !isDisabled);
  const isPinned = ({ name }: ProvedNode) => Object.hasOwn(pinData, name);
  const outside = nodes.filter((one) => !one.isTrigger && isAnswered(one));
  if (!nodes.some(isPinned) || !outside.every(isPinned)) return undefined;
  const trigger = nodes.find((one) => one.isTrigger && isPinned(one)) ?? nodes.find(({ isTrigger }) => isTrigger);
  const items = trigger && isPinned(trigger) ? readItemFields(pinData[trigger.name]) : [];
  const { mock, ...begin } = readStart(trigger, items, definition);
  const mocks: Record<string, NodeMock> = mock && trigger ? { [trigger.node.id]: mock } : {};
  const expected: Record<string, NodeExpectation> = {};
  for (const one of nodes) {
    if (one.isTrigger || !isPinned(one)) continue;
    const recorded: RecordedNodeRun = { outputs: [readItemFields(pinData[one.name])], error: undefined };
    if (!isAnswered(one)) expected[one.node.id] = toExpectation(recorded);
    else Object.assign(mocks, toMocks(one, recorded));
  }
  const test: RecordedTest = {
    name: 'n8n: pinned data',
    ...begin,
    mocks,
    expectations: { status: 'completed', nodes: expected },
  };
  return isStorable(test) ? test : undefined;
}
