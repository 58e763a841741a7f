import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { renameReferencesInNode } from '../edits/clipboard';
import { removeNodes } from '../edits/edits';
import { outputPorts, connectionId, type NodeTypesByName } from '../cards-and-edges';
import { setDefinitionGroups } from '../groups';
import { readableNodeId, definitionItemIds } from '../edits/ids';
import { nestedNodeIds, mentionedNodeIds, mentionsExecution } from './mentions';
import { nodeTitle } from '../summary';

/** The extracted workflow, and the outer workflow with one node in its place. */
export interface WorkflowExtraction {
  inner: WorkflowDefinition;
  /** The outer definition that calls `workflowId`, and the id of the calling node. */
  outer(workflowId: string, name: string): { definition: WorkflowDefinition; id: string };
}

/**
 * Extracts nodes into an equivalent sub-workflow. A sub-workflow has one input and one output and no access to outer
 * nodes; if that would change the result of runs, the extraction is refused with a message.
 */
export function extractSubWorkflow(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  ids: ReadonlySet<string>,
): WorkflowExtraction | { refusal: string } {
  const nodes = definition.nodes.filter(({ id }) => ids.has(id));
  const others = definition.nodes.filter(({ id }) => !ids.has(id));
  const title = (id: string) => {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    return `“${node ? nodeTitle(node, catalogue.get(node.type)) : id}”`;
  };
  const isIn = (id: string) => ids.has(id);
  const inside = definition.connections.filter(
    (connection) => isIn(connection.sourceNode) && isIn(connection.targetNode),
  );
  const entering = definition.connections.filter(
    (connection) => !isIn(connection.sourceNode) && isIn(connection.targetNode),
  );
  const leaving = definition.connections.filter(
    (connection) => isIn(connection.sourceNode) && !isIn(connection.targetNode),
  );
  const entries = [...new Set(entering.map(({ targetNode }) => targetNode))];
  const [exit] = leaving;

  const refusal =
    startNodeRefusal(nodes, catalogue, title) ??
    inputRefusal(entries, entering, inside, title) ??
    outputRefusal(nodes, inside, leaving, catalogue, title) ??
    referenceRefusal(nodes, others, exit?.sourceNode, title);
  if (refusal) return { refusal };

  const firsts = nodes
    .filter(({ id }) => !inside.some((connection) => connection.targetNode === id))
    .map(({ id }) => id);
  const corner = { x: Math.min(...nodes.map(({ position }) => position.x)), y: nodes[0]?.position.y ?? 0 };
  const start = readableNodeId(ids, 'start');
  const begin = (targetNode: string): NodeConnection => ({
    sourceNode: start,
    sourcePort: 'output',
    targetNode,
    targetPort: 'input',
  });
  const inner: WorkflowDefinition = {
    nodes: [{ id: start, type: 'start', position: { x: corner.x - 300, y: corner.y }, config: {} }, ...nodes],
    connections: [...(entries.length ? entries : firsts).map(begin), ...inside],
  };
  const own = (definition.groups ?? []).filter(({ nodeIds }) => nodeIds.every(isIn));
  return {
    inner: setDefinitionGroups(inner, own),
    outer(workflowId, name) {
      const left = removeNodes(definition, ids);
      const id = readableNodeId(definitionItemIds(left), 'sub_workflow');
      const call: WorkflowNode = { id, type: 'sub_workflow', position: corner, config: { workflowId }, name };
      const renamed = new Map(exit ? [[exit.sourceNode, id]] : []);
      const rest = left.nodes.map((node) => renameReferencesInNode(node, renamed));
      const reconnected = [
        ...entering.map((connection) => ({ ...connection, targetNode: id, targetPort: 'input' })),
        ...leaving.map((connection) => ({ ...connection, sourceNode: id, sourcePort: 'output' })),
      ];
      const once = new Map(
        [...left.connections, ...reconnected].map((connection) => [connectionId(connection), connection]),
      );
      return { id, definition: { ...left, nodes: [...rest, call], connections: [...once.values()] } };
    },
  };
}

type DescribeNode = (id: string) => string;

function startNodeRefusal(nodes: WorkflowNode[], catalogue: NodeTypesByName, title: DescribeNode): string | undefined {
  if (nodes.length === 0) return 'Select the nodes to extract.';
  const start = nodes.find(({ type }) => catalogue.get(type)?.ports.inputs.length === 0);
  return start && `${title(start.id)} is the start node of this workflow. Remove it from the selection.`;
}

function inputRefusal(entries: string[], entering: NodeConnection[], inside: NodeConnection[], title: DescribeNode) {
  const sendersOf = (id: string) =>
    JSON.stringify(
      entering
        .filter((connection) => connection.targetNode === id)
        .map(({ sourceNode, sourcePort }) => [sourceNode, sourcePort])
        .sort(),
    );
  const [first, ...rest] = entries;
  const odd = rest.find((id) => first !== undefined && sendersOf(id) !== sendersOf(first));
  if (first !== undefined && odd !== undefined)
    return `${title(first)} and ${title(odd)} have different inputs, but a sub-workflow has one input.`;
  const mixed = entries.find((id) => inside.some((connection) => connection.targetNode === id));
  return mixed === undefined ? undefined : `${title(mixed)} has inputs from inside and outside of the selection.`;
}

function outputRefusal(
  nodes: WorkflowNode[],
  inside: NodeConnection[],
  leaving: NodeConnection[],
  catalogue: NodeTypesByName,
  title: DescribeNode,
) {
  const [exit, ...rest] = leaving;
  if (!exit) return undefined;
  if (leaving.some(({ sourcePort }) => sourcePort === 'error'))
    return `An error port of the selection leads out of it. Select its target too.`;
  const other = rest.find(
    (connection) => connection.sourceNode !== exit.sourceNode || connection.sourcePort !== exit.sourcePort,
  );
  if (other) return `The selection has more than one output, but a sub-workflow has one output.`;
  for (const node of nodes) {
    const ports = outputPorts(node, catalogue.get(node.type), []);
    const used = inside.filter((connection) => connection.sourceNode === node.id).map(({ sourcePort }) => sourcePort);
    if (node.id === exit.sourceNode) {
      if (used.length) return `${title(node.id)} continues inside and outside of the selection.`;
      if (ports.length > 1) return `${title(node.id)} has several output ports that lead out of the selection.`;
    } else if (ports.some((port) => !used.includes(port)))
      return `${title(node.id)} can end inside the selection while the rest continues. Remove it from the selection.`;
  }
  return undefined;
}

function referenceRefusal(
  nodes: WorkflowNode[],
  others: WorkflowNode[],
  exit: string | undefined,
  title: DescribeNode,
): string | undefined {
  const known = nestedNodeIds(nodes);
  for (const node of nodes) {
    const foreign = [...mentionedNodeIds(node)].find((id) => !known.has(id));
    if (foreign !== undefined)
      return `${title(node.id)} refers to ${title(foreign)}, which is outside of the selection.`;
    if (mentionsExecution(node)) return `${title(node.id)} refers to the execution, which would be a different one.`;
  }
  for (const node of others) {
    const lost = [...mentionedNodeIds(node)].find((id) => known.has(id) && id !== exit);
    if (lost !== undefined)
      return `${title(node.id)} refers to ${title(lost)}, which would move into the sub-workflow.`;
  }
  return undefined;
}
