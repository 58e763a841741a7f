import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { LiveRun } from '@/components/runs/live';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { reachableNodeIds } from '@/components/graph/walk';
import type { PreviewData } from '@/components/forms/preview-context';
import type { OutputsByNode } from '../pins/pinned-outputs';

/** Outputs that the expressions of a node can use: of the nodes before it, pinned or from the run shown. */
export function outputsUpstream(
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): Record<string, unknown> {
  const before = reachableNodeIds(definition, [nodeId], 'upstream');
  return Object.fromEntries(
    definition.nodes.flatMap(({ id }) => {
      const output = pins[id] ?? results.get(id)?.output;
      return id !== nodeId && before.has(id) && output !== undefined ? [[id, output]] : [];
    }),
  );
}

const sourceNodeIds = (definition: WorkflowDefinition, nodeId: string) => [
  ...new Set(definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode)),
];

/** The input of a node: the output of its single source, or the outputs of several sources by id. */
export function nodeInputForPreview(
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): unknown {
  const sources = sourceNodeIds(definition, nodeId);
  const outputOf = (id: string) => pins[id] ?? results.get(id)?.output;
  const [only] = sources;
  if (sources.length === 1 && only !== undefined && outputOf(only) !== undefined) return outputOf(only);
  if (results.get(nodeId)?.input !== undefined && !sources.some((id) => id in pins)) return results.get(nodeId)?.input;
  const given = sources.flatMap((id) => (outputOf(id) === undefined ? [] : [[id, outputOf(id)] as const]));
  return given.length ? Object.fromEntries(given) : undefined;
}

/** Data omitted from the run for its size: its label, and the node whose result has it. */
interface OmittedNodeData {
  label: string;
  nodeId: string;
  bytes: number | undefined;
}

/** The omitted data among the input of a node and the outputs before it. */
export function omittedDataUpstream(
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): OmittedNodeData[] {
  const before = reachableNodeIds(definition, [nodeId], 'upstream');
  const outputs = definition.nodes.flatMap(({ id }): OmittedNodeData[] => {
    const result = results.get(id);
    if (id === nodeId || !before.has(id) || id in pins || !result?.omitted?.includes('output')) return [];
    return [{ label: `nodes.${id}`, nodeId: id, bytes: result.omittedBytes?.output }];
  });
  const own = results.get(nodeId);
  if (!own?.omitted?.includes('input') || nodeInputForPreview(definition, nodeId, results, pins) !== undefined)
    return outputs;
  const [source, ...others] = sourceNodeIds(definition, nodeId);
  // The output of a single source is also the input: one load serves both.
  const given = others.length === 0 && outputs.find((output) => output.nodeId === source);
  return given
    ? [{ ...given, label: 'input' }, ...outputs.filter((output) => output !== given)]
    : [{ label: 'input', nodeId, bytes: own.omittedBytes?.input }, ...outputs];
}

/** The ids of nodes that wait for a call at a URL of their own. */
const callWaitingNodeIds = ({ nodes }: WorkflowDefinition) =>
  nodes.flatMap(({ id, type }) => (type === 'wait_for_call' ? [id] : []));

/** Preview data for the expressions of a node: the names of the nodes before it, with values where known. */
export const buildNodePreview = (
  definition: WorkflowDefinition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
  execution: LiveRun | undefined,
  vars?: Readonly<Record<string, unknown>>,
): PreviewData => {
  const input = nodeInputForPreview(definition, nodeId, results, pins);
  const known = outputsUpstream(definition, nodeId, results, pins);
  const before = [...reachableNodeIds(definition, [nodeId], 'upstream')].filter((id) => id !== nodeId);
  const names = Object.fromEntries(before.map((id) => [id, undefined]));
  return {
    scope: {
      input,
      nodes: { ...names, ...known },
      execution: buildExecutionVariables(execution, callWaitingNodeIds(definition)),
      vars,
    },
    names: Object.fromEntries(definition.nodes.flatMap(({ id, name }) => (name ? [[id, name]] : []))),
    hasData: input !== undefined || Object.keys(known).length > 0 || execution !== undefined,
    isPartial: omittedDataUpstream(definition, nodeId, results, pins).length > 0,
  };
};
