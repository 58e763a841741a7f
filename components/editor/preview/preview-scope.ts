import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { LiveRun } from '@/components/runs/live';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { reachableNodeIds } from '@/components/graph/walk';
import type { PreviewData } from '@/components/forms/preview-context';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { expectedOutputsBefore, joinedInput } from './expected-outputs';
import { nodeInputForPreview, outputsUpstream, sourceNodeIds } from './node-input';

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

/** The types of nodes that wait at a URL of their own. */
const CALL_WAITING_TYPES = new Set(['wait_for_call', 'form_page']);

/** The ids of nodes that wait for a call, or for the visitor of a form, at a URL of their own. */
const callWaitingNodeIds = ({ nodes }: WorkflowDefinition) =>
  nodes.flatMap(({ id, type }) => (CALL_WAITING_TYPES.has(type) ? [id] : []));

/** Where the preview of a node has its data from. */
export interface PreviewSources {
  results: ReadonlyMap<string, NodeResult>;
  pins: OutputsByNode;
  execution: LiveRun | undefined;
  vars?: Readonly<Record<string, unknown>>;
  /** What the canvas calls the nodes, by id. */
  titles: Readonly<Record<string, string>>;
  /** In the body of a loop: the outputs of the nodes before the loop. */
  outer?: OutputsByNode;
}

/**
 * Preview data for the expressions of a node: the names of the nodes before it, with values where known. Nodes that
 * have not run have
 * those that follow from their input.
 */
export function buildNodePreview(
  definition: WorkflowDefinition,
  nodeId: string,
  { results, pins, execution, vars, titles, outer = {} }: PreviewSources,
): PreviewData {
  const known = outputsUpstream(definition, nodeId, results, pins);
  const before = new Set([...reachableNodeIds(definition, [nodeId], 'upstream')].filter((id) => id !== nodeId));
  const isOmitted = (id: string) => !(id in pins) && results.get(id)?.omitted?.includes('output');
  const expected = expectedOutputsBefore(definition, before, (id) => (isOmitted(id) ? null : known[id]));
  const outputs = {
    ...Object.fromEntries([...before].map((id) => [id, undefined])),
    ...known,
    ...Object.fromEntries(expected),
    ...Object.fromEntries(Object.entries(outer).filter(([id]) => !before.has(id))),
  };
  const sources = sourceNodeIds(definition, nodeId);
  const isInputExpected = sources.some((id) => expected.has(id));
  // The input of an earlier run may be that of other nodes: it counts only if those before the node have run.
  const isOld = sources.some((id) => !(id in pins) && !hasEnded(results.get(id)));
  const input =
    isInputExpected || isOld
      ? joinedInput(definition, nodeId, outputs)
      : nodeInputForPreview(definition, nodeId, results, pins);
  return {
    scope: {
      input,
      nodes: outputs,
      execution: buildExecutionVariables(execution, callWaitingNodeIds(definition)),
      vars,
    },
    names: titles,
    inputFrom: sources.map((id) => titles[id] ?? id),
    notes: dataNotes(definition, { nodeId, before, expected, isInputExpected, results, pins, titles }),
    expected: new Set([...[...expected.keys()].map((id) => `nodes.${id}`), ...(isInputExpected ? ['input'] : [])]),
    hasData:
      input !== undefined || Object.values(outputs).some((output) => output !== undefined) || execution !== undefined,
    isPartial: omittedDataUpstream(definition, nodeId, results, pins).length > 0,
  };
}

interface NotedData extends Pick<PreviewSources, 'results' | 'pins' | 'titles'> {
  nodeId: string;
  before: ReadonlySet<string>;
  expected: ReadonlyMap<string, unknown>;
  isInputExpected: boolean;
}

/**
 * What people have to know before they use data: that its node has not run, or that it leaves out a node which has not
 * run.
 */
function dataNotes(
  definition: WorkflowDefinition,
  { nodeId, before, expected, isInputExpected, results, pins, titles }: NotedData,
): Record<string, string> {
  const notes: Record<string, string> = {};
  const waiting = [...before].filter((id) => !(id in pins) && !hasEnded(results.get(id)));
  for (const id of waiting) {
    if (expected.has(id)) notes[`nodes.${id}`] = 'has not run: fields of its input';
    for (const earlier of reachableNodeIds(definition, [id], 'upstream'))
      if (earlier !== id) notes[`nodes.${earlier}`] ??= `leaves out “${titles[id] ?? id}”, which has not run`;
  }
  if (!isInputExpected) return notes;
  const late = sourceNodeIds(definition, nodeId).filter((id) => expected.has(id));
  const names = late.map((id) => `“${titles[id] ?? id}”`).join(' and ');
  return { ...notes, input: `${names} has not run: fields of its input` };
}

const hasEnded = (result: NodeResult | undefined): boolean =>
  result !== undefined && result.status !== 'pending' && result.status !== 'running';
