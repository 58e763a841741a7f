import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { buildCallUrl } from '../attempt/call-link';
import type { GraphScope } from './graph-scope';

type ResumeUrlMap = Readonly<Record<string, string>>;

const EMPTY_RESUME_URLS: ResumeUrlMap = {};

/** Caches by graph the ids of the nodes that wait for calls. */
const callNodeCache = new WeakMap<WorkflowGraph, readonly string[]>();

function findCallNodeIds(graph: WorkflowGraph): readonly string[] {
  let ids = callNodeCache.get(graph);
  if (!ids)
    callNodeCache.set(graph, (ids = graph.nodes.flatMap(({ id, nodeType: kind }) => (kind?.takesCall ? [id] : []))));
  return ids;
}

/** Caches the addresses by scope, because each of them is signed. */
const resumeUrlCache = new WeakMap<GraphScope, ResumeUrlMap>();

/**
 * `execution.resumeUrls` in the expressions of a scope: the addresses of the nodes in it that wait for calls, and of
 * those in the scopes around it. Inside a loop they are those of the round: each round has addresses of its own.
 */
export function buildResumeUrls(executionId: string, graphScope: GraphScope): ResumeUrlMap {
  const { owner, graph, prefix } = graphScope;
  const ids = findCallNodeIds(graph);
  if (ids.length === 0) return owner ? buildResumeUrls(executionId, owner.graphScope) : EMPTY_RESUME_URLS;
  const cached = resumeUrlCache.get(graphScope);
  if (cached) return cached;
  const own = ids.map((id) => [id, buildCallUrl({ executionId, nodeId: prefix + id })]);
  const urls: ResumeUrlMap = {
    ...(owner && buildResumeUrls(executionId, owner.graphScope)),
    ...Object.fromEntries(own),
  };
  resumeUrlCache.set(graphScope, urls);
  return urls;
}
