import type { ExecutionResponse } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { TestExpectations, NodeMocks } from '@/contract/workflows/workflow-test';
import { resolveTestBehaviour } from '@/server/engine/attempt/mocks';
import { findNodeType } from '@/server/workflow/nodes';
import { findNodeByPath } from '@/server/workflow/definition/node-paths';

type RecordedNodeResults = Pick<ExecutionResponse, 'nodeResults'>;

/** The path of an item of a node with `each`: `node[3]`. */
const ITEM_PATH_PATTERN = /^(.*)\[\d+\]$/;

/** Records the stored results of the nodes that a test does not run because they act outside. */
export function recordMocks(definition: WorkflowDefinition, { nodeResults }: RecordedNodeResults): NodeMocks {
  const mocks: NodeMocks = {};
  const divided = new Set(nodeResults.flatMap(({ nodeId, ports }) => (ports ? [nodeId] : [])));
  for (const { nodeId, status, output, port, error, omitted } of nodeResults) {
    const node = findNodeByPath(definition, nodeId);
    const kind = node && findNodeType(node.type);
    // A mock has one port: a list of which each item took its own is recorded item by item.
    const owner = node?.each && ITEM_PATH_PATTERN.exec(nodeId)?.[1];
    if (divided.has(nodeId) || (owner && !divided.has(owner))) continue;
    if (!node || resolveTestBehaviour(kind, node.disabled) !== 'mock' || omitted?.includes('output')) continue;
    if (status === 'failed' && error) mocks[nodeId] = { error: { code: error.code, message: error.message } };
    else if (status === 'completed') mocks[nodeId] = { output: output ?? null, ...(port !== undefined && { port }) };
  }
  return mocks;
}

/** Records the output of a run, and how its nodes outside of loops ended. */
export function recordExpectations({ status, output, nodeResults }: ExecutionResponse): TestExpectations {
  const nodes: TestExpectations['nodes'] = {};
  for (const { nodeId, status: ended } of nodeResults) {
    if (nodeId.includes('[')) continue;
    nodes[nodeId] = { status: ended === 'completed' || ended === 'failed' ? ended : 'not_run' };
  }
  const outcome = status === 'failed' ? 'failed' : 'completed';
  return { status: outcome, ...(output === undefined ? {} : { output }), nodes };
}
