import type { Graph } from '@/server/workflow/graph';
import { callUrl } from '../attempt/call-link';
import type { GraphScope } from './graph-scope';

type Urls = Readonly<Record<string, string>>;

const NO_URLS: Urls = {};

/** Cache by graph: the nodes that wait for calls. */
const takers = new WeakMap<Graph, readonly string[]>();

function takersOf(graph: Graph): readonly string[] {
  let ids = takers.get(graph);
  if (!ids) takers.set(graph, (ids = graph.nodes.flatMap(({ id, kind }) => (kind?.takesCall ? [id] : []))));
  return ids;
}

/** Cache by scope: computing an address takes a signature. */
const known = new WeakMap<GraphScope, Urls>();

/**
 * `execution.resumeUrls` in the expressions of a scope: the addresses of the nodes in it that wait for calls, and of those in
 * the scopes around it. Inside a loop they are those of the round: each round has addresses of its own.
 */
export function resumeUrls(executionId: string, graphScope: GraphScope): Urls {
  const { owner, graph, prefix } = graphScope;
  const ids = takersOf(graph);
  if (ids.length === 0) return owner ? resumeUrls(executionId, owner.graphScope) : NO_URLS;
  const cached = known.get(graphScope);
  if (cached) return cached;
  const own = ids.map((id) => [id, callUrl({ executionId, nodeId: prefix + id })]);
  const urls: Urls = { ...(owner && resumeUrls(executionId, owner.graphScope)), ...Object.fromEntries(own) };
  known.set(graphScope, urls);
  return urls;
}
