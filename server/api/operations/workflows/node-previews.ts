import {
  MAX_PREVIEW_BODY_BYTES,
  MAX_PREVIEW_MS,
  PreviewedNodes,
  PreviewNodesRequest,
} from '@/contract/workflows/node-preview';
import { MAX_WORKFLOW_JSON_VALUES } from './request-fields';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { previewNodes } from '@/server/engine/preview/preview-nodes';
import { onClientDisconnect } from '@/server/platform/messages/disconnect';
import { createLimitedSignal } from '@/server/platform/timers/limited-signal';
import { isKnownTimeZone } from '@/server/workflow/definition/cron';
import { findCycles } from '@/server/workflow/definition/cycles';
import { invalidFieldProblem } from '@/server/platform/errors/problem';

/** Refuses nodes that are no graph. */
function requireGraph({ nodes, connections }: PreviewNodesRequest): void {
  const ids = new Set(nodes.map(({ id }) => id));
  if (ids.size < nodes.length) throw invalidFieldProblem('nodes', 'have an id twice');
  for (const [index, { sourceNode, targetNode }] of connections.entries())
    if (!ids.has(sourceNode) || !ids.has(targetNode))
      throw invalidFieldProblem(`connections[${index}]`, 'is not between two of the nodes');
  const edges = connections.map(({ sourceNode: source, targetNode: target }, index) => ({ index, source, target }));
  if (findCycles(edges, 1).length > 0) throw invalidFieldProblem('connections', 'have a cycle');
}

const previewNodesOperation = defineOperation({
  id: 'nodes.preview',
  method: 'POST',
  path: '/api/nodes/preview',
  summary: 'Compute nodes on data',
  description:
    'For previews: what nodes of a workflow would give with this data, in the order in which they would run. Nodes that ' +
    'only compute run as in a run, with its limits. Others are `stopped`: nothing outside is called, no object of the ' +
    'workspace is read, and nothing is stored. The computation ends when the client disconnects.',
  tag: 'Workflows',
  // Nothing of the workspace is read, so that a permission on one workflow is enough.
  access: memberAccess('workflow', 'update', { isFiltered: true }),
  effect: readEffect(),
  body: jsonBody(PreviewNodesRequest, { maxBytes: MAX_PREVIEW_BODY_BYTES, maxValues: MAX_WORKFLOW_JSON_VALUES }),
  reply: jsonReply(PreviewedNodes),
  async run({ caller, connection }, { body }) {
    if (!isKnownTimeZone(body.timeZone)) throw invalidFieldProblem('timeZone', 'is not a time zone');
    if (body.prelude && body.language !== 'javascript')
      throw invalidFieldProblem('prelude', 'needs the language javascript');
    requireGraph(body);
    const gone = new AbortController();
    const stop = connection && onClientDisconnect(connection, () => gone.abort());
    const { signal, release } = createLimitedSignal(gone.signal, MAX_PREVIEW_MS);
    try {
      return { results: await previewNodes(body, { workspaceId: caller.workspaceId, signal }) };
    } finally {
      release();
      stop?.();
    }
  },
});

export const nodePreviewOperations = [previewNodesOperation];
