import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { buildCallUrl } from '../attempt/call-link';
import { buildFormRunUrl } from '../attempt/form-run-link';
import type { GraphScope } from './graph-scope';

type ResumeUrlMap = Readonly<Record<string, string>>;

const EMPTY_RESUME_URLS: ResumeUrlMap = {};

/** Caches by graph the nodes that wait for calls, with the kind of call. */
const callNodeCache = new WeakMap<WorkflowGraph, readonly CalledGraphNode[]>();

interface CalledGraphNode {
  id: string;
  takesCall: 'any' | 'page';
}

function findCalledNodes(graph: WorkflowGraph): readonly CalledGraphNode[] {
  let found = callNodeCache.get(graph);
  if (!found) {
    found = graph.nodes.flatMap(({ id, nodeType }) =>
      nodeType?.takesCall ? [{ id, takesCall: nodeType.takesCall }] : [],
    );
    callNodeCache.set(graph, found);
  }
  return found;
}

const buildResumeUrl = (executionId: string, nodeId: string, takesCall: 'any' | 'page'): string =>
  takesCall === 'page' ? buildFormRunUrl({ executionId, nodeId }) : buildCallUrl({ executionId, nodeId });

/** Caches the addresses by scope, because each of them is signed. */
const resumeUrlCache = new WeakMap<GraphScope, ResumeUrlMap>();

/**
 * `execution.resumeUrls` in the expressions of a scope: the addresses of the nodes in it that wait for calls, and of
 * those in the scopes around it. Inside a loop they are those of the round: each round has addresses of its own.
 */
export function buildResumeUrls(executionId: string, graphScope: GraphScope): ResumeUrlMap {
  const { owner, graph, prefix } = graphScope;
  const called = findCalledNodes(graph);
  if (called.length === 0) return owner ? buildResumeUrls(executionId, owner.graphScope) : EMPTY_RESUME_URLS;
  const cached = resumeUrlCache.get(graphScope);
  if (cached) return cached;
  const own = called.map(({ id, takesCall }) => [id, buildResumeUrl(executionId, prefix + id, takesCall)]);
  const urls: ResumeUrlMap = {
    ...(owner && buildResumeUrls(executionId, owner.graphScope)),
    ...Object.fromEntries(own),
  };
  resumeUrlCache.set(graphScope, urls);
  return urls;
}
