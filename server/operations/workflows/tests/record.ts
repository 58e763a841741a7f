import type { Execution } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { Expectations, Mocks } from '@/contract/workflows/workflow-test';
import { inTests } from '@/server/engine/attempt/mocks';
import { kindOf } from '@/server/nodes';
import { nodeAt } from '@/server/workflow/definition';

type Recorded = Pick<Execution, 'nodeResults'>;

/** What the nodes of a run gave that a test does not run: the answers from outside, as they are stored. */
export function recordedMocks(definition: Definition, { nodeResults }: Recorded): Mocks {
  const mocks: Mocks = {};
  for (const { nodeId, status, output, port, error, omitted } of nodeResults) {
    const node = nodeAt(definition, nodeId);
    const kind = node && kindOf(node.type);
    if (!node || inTests(kind, node.disabled) !== 'mock' || omitted?.includes('output')) continue;
    if (status === 'failed' && error) mocks[nodeId] = { error: { code: error.code, message: error.message } };
    else if (status === 'completed') mocks[nodeId] = { output: output ?? null, ...(port !== undefined && { port }) };
  }
  return mocks;
}

/** How the nodes of a run ended, outside of loops, and what its output was. */
export function recordedExpectations({ status, output, nodeResults }: Execution): Expectations {
  const nodes: Expectations['nodes'] = {};
  for (const { nodeId, status: ended } of nodeResults) {
    if (nodeId.includes('[')) continue;
    nodes[nodeId] = { status: ended === 'completed' || ended === 'failed' ? ended : 'not_run' };
  }
  const outcome = status === 'failed' ? 'failed' : 'completed';
  return { status: outcome, ...(output === undefined ? {} : { output }), nodes };
}
