import type { NodeResult } from '@/contract/execution';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import { MAX_PREVIEWED_NODES, type PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { sortBySources, sourceNodeIds } from '../preview/node-input';

/** Longest JSON of a request, in characters. More data has no preview. */
const MAX_SENT_DATA = 2_000_000;

type KnownOutputs = NonNullable<PreviewNodesRequest['known']>;

/** Where the data of a live preview comes from. */
export interface LivePreviewSources {
  /** The definition on the canvas. */
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  /** The nodes whose results are outdated. */
  outdated: ReadonlySet<string>;
  results: ReadonlyMap<string, NodeResult>;
  pins: OutputsByNode;
  /** In the body of a loop: the outputs of the nodes around it. */
  outer: OutputsByNode;
  /** What start nodes get. Undefined: it is not known. */
  input: unknown;
  execution: Record<string, unknown> | undefined;
  vars: Readonly<Record<string, unknown>> | undefined;
  timeZone: string | undefined;
}

/**
 * What the service needs to compute the outdated nodes on the last data. Undefined: there is nothing to compute, or no
 * data to do it with.
 */
export function buildPreviewRequest(sources: LivePreviewSources): PreviewNodesRequest | undefined {
  const { definition, outdated, outer, input, execution, vars, timeZone } = sources;
  // The names of another tool say things about the run that only a run knows.
  if (definition.prelude) return undefined;
  const computed = listComputableNodes(sources);
  if (computed.length === 0) return undefined;
  const text = JSON.stringify(computed.map(({ config, each }) => [config, each]));
  const ids = new Set(computed.map(({ id }) => id));
  const needed = new Set(computed.flatMap(({ id }) => sourceNodeIds(definition, id)).filter((id) => !ids.has(id)));
  const known: KnownOutputs = {};
  for (const node of definition.nodes) {
    if (ids.has(node.id) || !(needed.has(node.id) || text.includes(node.id))) continue;
    const output = outdated.has(node.id) && !(node.id in sources.pins) ? undefined : findKnownOutput(node, sources);
    if (output) known[node.id] = output;
  }
  for (const [id, output] of Object.entries(outer)) if (text.includes(id)) known[id] ??= { output, port: 'output' };
  const nodes = definition.nodes.filter(({ id }) => ids.has(id) || needed.has(id));
  const inside = new Set(nodes.map(({ id }) => id));
  const request: PreviewNodesRequest = {
    // Names, notes and places are of no use to a computation.
    nodes: nodes.map((node) => (ids.has(node.id) ? node : { ...node, config: {} })),
    connections: definition.connections.filter(
      ({ sourceNode, targetNode }) => inside.has(sourceNode) && ids.has(targetNode),
    ),
    language: definitionLanguage(definition),
    known,
    input,
    execution,
    vars: text.includes('vars') ? { ...vars } : {},
    timeZone: timeZone ?? 'UTC',
  };
  return JSON.stringify(request).length > MAX_SENT_DATA ? undefined : request;
}

/** The outdated nodes of which is known, or will be computed, what comes in; as many as a preview may have. */
function listComputableNodes(sources: LivePreviewSources): WorkflowNode[] {
  const { definition, outdated, catalogue, pins, input } = sources;
  const byId = new Map(definition.nodes.map((node) => [node.id, node]));
  const computed = new Map<string, WorkflowNode>();
  const given = new Set<string>();
  for (const node of sortBySources(definition, outdated)) {
    if (node.id in pins) continue;
    const before = sourceNodeIds(definition, node.id);
    const isStart = catalogue.get(node.type)?.ports.inputs.length === 0;
    if (isStart ? input === undefined : before.length === 0) continue;
    const isKnown = (id: string) => {
      const source = byId.get(id);
      return (
        computed.has(id) ||
        (source !== undefined && (!outdated.has(id) || id in pins) && findKnownOutput(source, sources) !== undefined)
      );
    };
    if (!before.every(isKnown)) continue;
    const fresh = before.filter((id) => !computed.has(id) && !given.has(id));
    if (computed.size + given.size + fresh.length + 1 > MAX_PREVIEWED_NODES) break;
    for (const id of fresh) given.add(id);
    computed.set(node.id, node);
  }
  return [...computed.values()];
}

/** The output of a node that does not run: pinned, or of the last run. */
function findKnownOutput(
  { id, type }: WorkflowNode,
  { pins, results, catalogue }: Pick<LivePreviewSources, 'pins' | 'results' | 'catalogue'>,
): KnownOutputs[string] | undefined {
  if (id in pins) {
    const ports = catalogue.get(type)?.ports.outputs ?? [];
    return { output: pins[id], port: ports.includes('output') ? 'output' : (ports[0] ?? 'output') };
  }
  const result = results.get(id);
  if (result?.status === 'skipped') return { output: null, port: null };
  if (result?.status !== 'completed' || result.output === undefined || result.omitted?.includes('output'))
    return undefined;
  const taken = result.ports && Object.keys(result.ports);
  // The outputs of several ports are in one list: which of them left where is not known.
  if (taken && taken.length > 1) return undefined;
  return { output: result.output, port: taken ? (taken[0] ?? null) : (result.port ?? 'output') };
}
