import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { Run } from '@/components/executions/live';
import { executionScope } from '@/components/forms/model/resolve';
import { reach } from '@/components/graph/walk';
import type { Preview } from '@/components/forms/preview';
import type { Pins } from '../pins/pins';

/** Outputs that the expressions of a node can use: of the nodes before it, pinned or from the run shown. */
export function outputsBefore(
  definition: Definition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: Pins,
): Record<string, unknown> {
  const before = reach(definition, [nodeId], 'upstream');
  return Object.fromEntries(
    definition.nodes.flatMap(({ id }) => {
      const output = pins[id] ?? results.get(id)?.output;
      return id !== nodeId && before.has(id) && output !== undefined ? [[id, output]] : [];
    }),
  );
}

const sourcesOf = (definition: Definition, nodeId: string) => [
  ...new Set(definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode)),
];

/** The input of a node: the output of its single source, or the outputs of several sources by id. */
export function inputFor(
  definition: Definition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: Pins,
): unknown {
  const sources = sourcesOf(definition, nodeId);
  const outputOf = (id: string) => pins[id] ?? results.get(id)?.output;
  const [only] = sources;
  if (sources.length === 1 && only !== undefined && outputOf(only) !== undefined) return outputOf(only);
  if (results.get(nodeId)?.input !== undefined && !sources.some((id) => id in pins)) return results.get(nodeId)?.input;
  const given = sources.flatMap((id) => (outputOf(id) === undefined ? [] : [[id, outputOf(id)] as const]));
  return given.length ? Object.fromEntries(given) : undefined;
}

/** Data omitted from the run for its size: its label, and the node whose result has it. */
interface Omitted {
  label: string;
  nodeId: string;
  bytes: number | undefined;
}

/** The omitted data among the input of a node and the outputs before it. */
export function omittedBefore(
  definition: Definition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: Pins,
): Omitted[] {
  const before = reach(definition, [nodeId], 'upstream');
  const outputs = definition.nodes.flatMap(({ id }): Omitted[] => {
    const result = results.get(id);
    if (id === nodeId || !before.has(id) || id in pins || !result?.omitted?.includes('output')) return [];
    return [{ label: `nodes.${id}`, nodeId: id, bytes: result.omittedBytes?.output }];
  });
  const own = results.get(nodeId);
  if (!own?.omitted?.includes('input') || inputFor(definition, nodeId, results, pins) !== undefined) return outputs;
  const [source, ...others] = sourcesOf(definition, nodeId);
  // The output of a single source is also the input: one load serves both.
  const given = others.length === 0 && outputs.find((output) => output.nodeId === source);
  return given
    ? [{ ...given, label: 'input' }, ...outputs.filter((output) => output !== given)]
    : [{ label: 'input', nodeId, bytes: own.omittedBytes?.input }, ...outputs];
}

/** The nodes that have an address at which they take a call. */
const takersIn = ({ nodes }: Definition) => nodes.flatMap(({ id, type }) => (type === 'wait_for_call' ? [id] : []));

/** Preview data for the expressions of a node: the names of the nodes before it, with values where known. */
export const previewFor = (
  definition: Definition,
  nodeId: string,
  results: ReadonlyMap<string, NodeResult>,
  pins: Pins,
  execution: Run | undefined,
  vars?: Readonly<Record<string, unknown>>,
): Preview => {
  const input = inputFor(definition, nodeId, results, pins);
  const known = outputsBefore(definition, nodeId, results, pins);
  const before = [...reach(definition, [nodeId], 'upstream')].filter((id) => id !== nodeId);
  const names = Object.fromEntries(before.map((id) => [id, undefined]));
  return {
    scope: { input, nodes: { ...names, ...known }, execution: executionScope(execution, takersIn(definition)), vars },
    names: Object.fromEntries(definition.nodes.flatMap(({ id, name }) => (name ? [[id, name]] : []))),
    hasData: input !== undefined || Object.keys(known).length > 0 || execution !== undefined,
    isPartial: omittedBefore(definition, nodeId, results, pins).length > 0,
  };
};
