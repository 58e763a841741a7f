import type { NodeResult } from '@/contract/execution';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import { MAX_PREVIEWED_NODES, type PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { reachableNodeIds } from '@/components/graph/walk';
import { mapSourceNodeIds, sortBySources } from '../preview/node-input';

/** Longest JSON of a request, in characters. More data has no preview. */
const MAX_SENT_DATA = 2_000_000;

type KnownOutputs = NonNullable<PreviewNodesRequest['known']>;

/** The output of a node around the body that is previewed. */
export interface OuterOutput {
  node: WorkflowNode;
  output: unknown;
}

/** Where the data of a live preview comes from. */
export interface LivePreviewSources {
  /** The definition on the canvas. */
  definition: WorkflowDefinition;
  /** Of all expressions; the prelude of the definition around a body. */
  dialect: Pick<WorkflowDefinition, 'language' | 'prelude'>;
  catalogue: NodeTypesByName;
  /** The nodes whose results are outdated. */
  outdated: ReadonlySet<string>;
  results: ReadonlyMap<string, NodeResult>;
  pins: OutputsByNode;
  /** In the body of a loop: the outputs of the nodes around it. */
  outer: readonly OuterOutput[];
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
  const { definition, dialect, outer, input, execution, vars, timeZone } = sources;
  const sourcesById = mapSourceNodeIds(definition);
  const computed = listComputableNodes(sources, sourcesById);
  if (computed.length === 0) return undefined;
  const text = JSON.stringify(computed.map(({ config, each }) => [config, each]));
  const isNamed = ({ id, name }: WorkflowNode) =>
    text.includes(id) || (dialect.prelude !== undefined && name !== undefined && text.includes(name));
  const ids = new Set(computed.map(({ id }) => id));
  // Where an item came from follows from all lists before it.
  const isTraced = dialect.prelude !== undefined || text.includes('paired');
  const needed = isTraced
    ? reachableNodeIds(definition, [...ids], 'upstream')
    : new Set([...ids].flatMap((id) => [...(sourcesById.get(id) ?? [])]));
  const known: KnownOutputs = {};
  const given: WorkflowNode[] = [];
  for (const node of definition.nodes) {
    if (ids.has(node.id) || !(needed.has(node.id) || isNamed(node))) continue;
    const output = findUsableOutput(node, sources);
    if (!output) continue;
    known[node.id] = output;
    // Names, notes and places are of no use to a computation.
    if (isTraced) given.push(node);
    else if (needed.has(node.id)) given.push({ ...node, config: {} });
  }
  for (const { node, output } of outer) {
    if (!isNamed(node) || ids.has(node.id) || Object.hasOwn(known, node.id)) continue;
    known[node.id] = { output, port: 'output' };
    if (dialect.prelude) given.push({ ...node, config: {} });
  }
  const inside = new Set([...ids, ...given.map(({ id }) => id)]);
  if (inside.size > MAX_PREVIEWED_NODES) return undefined;
  // Whether a known node is reached can be told only from all that leads to it.
  const isWhole = (id: string) => ids.has(id) || [...(sourcesById.get(id) ?? [])].every((source) => inside.has(source));
  const request: PreviewNodesRequest = {
    nodes: [...given, ...computed],
    connections: definition.connections.filter(
      ({ sourceNode, targetNode }) => inside.has(sourceNode) && inside.has(targetNode) && isWhole(targetNode),
    ),
    language: definitionLanguage(dialect),
    prelude: dialect.prelude,
    known,
    input,
    execution,
    vars: text.includes('vars') || dialect.prelude ? { ...vars } : {},
    timeZone: timeZone ?? 'UTC',
  };
  return JSON.stringify(request).length > MAX_SENT_DATA ? undefined : request;
}

/** The outdated nodes of which is known, or will be computed, what comes in; as many as a preview may have. */
function listComputableNodes(
  sources: LivePreviewSources,
  sourcesById: ReadonlyMap<string, ReadonlySet<string>>,
): WorkflowNode[] {
  const { definition, outdated, catalogue, pins, input } = sources;
  const byId = new Map(definition.nodes.map((node) => [node.id, node]));
  const usable = new Map<string, boolean>();
  const isUsable = (id: string) => {
    const source = byId.get(id);
    const is = usable.get(id) ?? (source !== undefined && findUsableOutput(source, sources) !== undefined);
    usable.set(id, is);
    return is;
  };
  const computed = new Map<string, WorkflowNode>();
  const given = new Set<string>();
  for (const node of sortBySources(definition, outdated)) {
    if (node.id in pins) continue;
    const before = [...(sourcesById.get(node.id) ?? [])];
    const isStart = catalogue.get(node.type)?.ports.inputs.length === 0;
    if (isStart ? input === undefined : before.length === 0) continue;
    if (!before.every((id) => computed.has(id) || isUsable(id))) continue;
    const fresh = before.filter((id) => !computed.has(id) && !given.has(id));
    if (computed.size + given.size + fresh.length + 1 > MAX_PREVIEWED_NODES) break;
    for (const id of fresh) given.add(id);
    computed.set(node.id, node);
  }
  return [...computed.values()];
}

/** The output of a node that does not run. An outdated result is of no use. */
const findUsableOutput = (node: WorkflowNode, sources: LivePreviewSources): KnownOutputs[string] | undefined =>
  sources.outdated.has(node.id) && !(node.id in sources.pins) ? undefined : findKnownOutput(node, sources);

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
