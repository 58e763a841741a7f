import type { Connection, Definition, Node } from '@/contract/workflow';
import { respoken } from './clip';
import { removeNodes } from './edits';
import { outputPorts, wireId, type Catalogue } from './flow';
import { withGroups } from './groups';
import { freeId, idsIn } from './ids';
import { idsWithin, mentionsIn, speaksOfRun } from './mentions';
import { nodeTitle } from './summary';

/** Nodes as a workflow of their own, and the workflow around with one node in their place. */
export interface Extraction {
  inner: Definition;
  /** The definition that calls `workflowId` instead, and the id of the node that does. */
  outer(workflowId: string, name: string): { definition: Definition; id: string };
}

/**
 * Takes nodes out into a sub-workflow that does the same. It has one input and one output, and knows nothing of what is
 * around it; where that would change what a run comes to, the answer says why in a sentence.
 */
export function extract(
  definition: Definition,
  catalogue: Catalogue,
  ids: ReadonlySet<string>,
): Extraction | { refusal: string } {
  const nodes = definition.nodes.filter(({ id }) => ids.has(id));
  const others = definition.nodes.filter(({ id }) => !ids.has(id));
  const title = (id: string) => {
    const node = definition.nodes.find((candidate) => candidate.id === id);
    return `“${node ? nodeTitle(node, catalogue.get(node.type)) : id}”`;
  };
  const isIn = (id: string) => ids.has(id);
  const inside = definition.connections.filter((wire) => isIn(wire.sourceNode) && isIn(wire.targetNode));
  const entering = definition.connections.filter((wire) => !isIn(wire.sourceNode) && isIn(wire.targetNode));
  const leaving = definition.connections.filter((wire) => isIn(wire.sourceNode) && !isIn(wire.targetNode));
  const entries = [...new Set(entering.map(({ targetNode }) => targetNode))];
  const [exit] = leaving;

  const refusal =
    kindRefusal(nodes, catalogue, title) ??
    entryRefusal(entries, entering, inside, title) ??
    exitRefusal(nodes, inside, leaving, catalogue, title) ??
    wordRefusal(nodes, others, exit?.sourceNode, title);
  if (refusal) return { refusal };

  const firsts = nodes.filter(({ id }) => !inside.some((wire) => wire.targetNode === id)).map(({ id }) => id);
  const corner = { x: Math.min(...nodes.map(({ position }) => position.x)), y: nodes[0]?.position.y ?? 0 };
  const start = freeId(ids, 'start');
  const begin = (targetNode: string): Connection => ({
    sourceNode: start,
    sourcePort: 'output',
    targetNode,
    targetPort: 'input',
  });
  const inner: Definition = {
    nodes: [{ id: start, type: 'start', position: { x: corner.x - 300, y: corner.y }, config: {} }, ...nodes],
    connections: [...(entries.length ? entries : firsts).map(begin), ...inside],
  };
  const own = (definition.groups ?? []).filter(({ nodeIds }) => nodeIds.every(isIn));
  return {
    inner: withGroups(inner, own),
    outer(workflowId, name) {
      const left = removeNodes(definition, ids);
      const id = freeId(idsIn(left), 'sub_workflow');
      const call: Node = { id, type: 'sub_workflow', position: corner, config: { workflowId }, name };
      const renamed = new Map(exit ? [[exit.sourceNode, id]] : []);
      const rest = left.nodes.map((node) => ({ ...node, config: respoken(node.config, renamed) as Node['config'] }));
      const wires = [
        ...entering.map((wire) => ({ ...wire, targetNode: id, targetPort: 'input' })),
        ...leaving.map((wire) => ({ ...wire, sourceNode: id, sourcePort: 'output' })),
      ];
      const once = new Map([...left.connections, ...wires].map((wire) => [wireId(wire), wire]));
      return { id, definition: { ...left, nodes: [...rest, call], connections: [...once.values()] } };
    },
  };
}

type Title = (id: string) => string;

function kindRefusal(nodes: Node[], catalogue: Catalogue, title: Title): string | undefined {
  if (nodes.length === 0) return 'Select the nodes that are to become a workflow of their own.';
  const start = nodes.find(({ type }) => catalogue.get(type)?.ports.inputs.length === 0);
  return start && `${title(start.id)} begins the runs of this workflow: leave it out of the selection.`;
}

function entryRefusal(entries: string[], entering: Connection[], inside: Connection[], title: Title) {
  const sendersOf = (id: string) =>
    JSON.stringify(
      entering
        .filter((wire) => wire.targetNode === id)
        .map(({ sourceNode, sourcePort }) => [sourceNode, sourcePort])
        .sort(),
    );
  const [first, ...rest] = entries;
  const odd = rest.find((id) => first !== undefined && sendersOf(id) !== sendersOf(first));
  if (first !== undefined && odd !== undefined)
    return `${title(first)} and ${title(odd)} get different inputs; a sub-workflow has one.`;
  const mixed = entries.find((id) => inside.some((wire) => wire.targetNode === id));
  return mixed === undefined ? undefined : `${title(mixed)} waits for nodes inside and outside of the selection.`;
}

function exitRefusal(nodes: Node[], inside: Connection[], leaving: Connection[], catalogue: Catalogue, title: Title) {
  const [exit, ...rest] = leaving;
  if (!exit) return undefined;
  if (leaving.some(({ sourcePort }) => sourcePort === 'error'))
    return `What happens when a node of the selection fails is outside of it: select that, too.`;
  const other = rest.find((wire) => wire.sourceNode !== exit.sourceNode || wire.sourcePort !== exit.sourcePort);
  if (other) return `The selection is left by more than one way; a sub-workflow has one output.`;
  for (const node of nodes) {
    const ports = outputPorts(node, catalogue.get(node.type), []);
    const used = inside.filter((wire) => wire.sourceNode === node.id).map(({ sourcePort }) => sourcePort);
    if (node.id === exit.sourceNode) {
      if (used.length) return `${title(node.id)} goes on inside and outside of the selection.`;
      if (ports.length > 1) return `${title(node.id)} chooses between ways that lead out of the selection.`;
    } else if (ports.some((port) => !used.includes(port)))
      return `${title(node.id)} can end inside, and the rest would go on all the same: select it without that node.`;
  }
  return undefined;
}

function wordRefusal(nodes: Node[], others: Node[], exit: string | undefined, title: Title): string | undefined {
  const known = idsWithin(nodes);
  for (const node of nodes) {
    const foreign = [...mentionsIn(node)].find((id) => !known.has(id));
    if (foreign !== undefined) return `${title(node.id)} speaks of ${title(foreign)}, which stays outside.`;
    if (speaksOfRun(node)) return `${title(node.id)} speaks of the execution, which would be another one.`;
  }
  for (const node of others) {
    const lost = [...mentionsIn(node)].find((id) => known.has(id) && id !== exit);
    if (lost !== undefined) return `${title(node.id)} speaks of ${title(lost)}, which would be inside.`;
  }
  return undefined;
}
