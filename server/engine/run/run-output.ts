import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { findOnlyLeaf } from '../store/state';
import { normalizeJson } from '../store/value';
import type { CheckpointFields, RunStateStore } from './ledger';
import type { NodeAttempts } from './node-attempts';
import { RUN_OUTPUT_TOO_LARGE_ERROR } from './run-errors';

/** The output of a run whose nodes have all ended. */
export async function computeRunOutput(
  graph: WorkflowGraph,
  ledger: RunStateStore,
  attempts: NodeAttempts,
): Promise<NonNullable<CheckpointFields['final']>> {
  const leaf = findOnlyLeaf(graph, ledger.states);
  const pendingOutput = leaf ? ledger.pendingOutputJson(leaf.id) : null;
  if (pendingOutput !== null) return { json: pendingOutput, error: null };
  try {
    const [output] = await attempts.outputs.readGraphOutputs(graph, ['']);
    return { json: normalizeJson(output), error: null };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return { json: null, error: RUN_OUTPUT_TOO_LARGE_ERROR };
  }
}
