import type { Graph } from '@/server/workflow/graph';
import { callUrl } from '../attempt/call-link';
import type { Frame } from './frame';

type Urls = Readonly<Record<string, string>>;

const NO_URLS: Urls = {};

/** Cache by graph: the nodes that wait for calls. */
const takers = new WeakMap<Graph, readonly string[]>();

function takersOf(graph: Graph): readonly string[] {
  let ids = takers.get(graph);
  if (!ids) takers.set(graph, (ids = graph.nodes.flatMap(({ id, kind }) => (kind?.takesCall ? [id] : []))));
  return ids;
}

/** Cache by frame: computing an address takes a signature. */
const known = new WeakMap<Frame, Urls>();

/**
 * `execution.resumeUrls` in the expressions of a frame: the addresses of the nodes in it that wait for calls, and of those in
 * the frames around it. Inside a loop they are those of the round: each round has addresses of its own.
 */
export function resumeUrls(executionId: string, frame: Frame): Urls {
  const { owner, graph, prefix } = frame;
  const ids = takersOf(graph);
  if (ids.length === 0) return owner ? resumeUrls(executionId, owner.frame) : NO_URLS;
  const cached = known.get(frame);
  if (cached) return cached;
  const own = ids.map((id) => [id, callUrl({ executionId, nodeId: prefix + id })]);
  const urls: Urls = { ...(owner && resumeUrls(executionId, owner.frame)), ...Object.fromEntries(own) };
  known.set(frame, urls);
  return urls;
}
