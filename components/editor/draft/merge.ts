import { isSame } from '@/components/graph/compare';
import { connectionId } from '@/components/graph/flow';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { mergeAnnotations } from './merge-annotations';

export type Side = 'mine' | 'theirs';

/** A conflict: both changed the node differently since `base`. Undefined: removed. */
export interface Contested {
  id: string;
  mine: Node | undefined;
  theirs: Node | undefined;
}

const byId = ({ nodes }: Definition) => new Map(nodes.map((node) => [node.id, node]));

/** The nodes that two people changed differently. Positions are no conflict. */
export function contested(base: Definition, mine: Definition, theirs: Definition): Contested[] {
  const [was, my, their] = [byId(base), byId(mine), byId(theirs)];
  const ids = [...new Set([...my.keys(), ...their.keys(), ...was.keys()])];
  return ids.flatMap((id) => {
    const [old, a, b] = [was, my, their].map((nodes) => nodes.get(id));
    const isQuestion = !isAlike(a, b) && !isAlike(old, a) && !isAlike(old, b);
    return isQuestion ? [{ id, mine: a, theirs: b }] : [];
  });
}

const isAlike = (a: Node | undefined, b: Node | undefined) =>
  isSame(a && { ...a, position: null }, b && { ...b, position: null });

/**
 * Three-way merge of both changes since `base`. `choices` resolves conflicts; the default is mine. Connections of
 * removed nodes are removed.
 */
export function merge(
  base: Definition,
  mine: Definition,
  theirs: Definition,
  choices: ReadonlyMap<string, Side> = new Map(),
): Definition {
  const [was, my, their] = [byId(base), byId(mine), byId(theirs)];
  const pick = (id: string): Node | undefined => {
    const [old, a, b] = [was.get(id), my.get(id), their.get(id)];
    if (choices.has(id)) return choices.get(id) === 'theirs' ? b : a;
    return isSame(old, a) || (isAlike(old, a) && !isAlike(old, b)) ? b : a;
  };
  const ids = [...new Set([...their.keys(), ...my.keys()])];
  const nodes = ids.flatMap((id) => pick(id) ?? []);
  const keptIds = new Set(nodes.map(({ id }) => id));
  const [oldConnections, myConnections] = [base, mine].map(({ connections }) => new Set(connections.map(connectionId)));
  const connections = [
    ...theirs.connections.filter(
      (connection) => myConnections?.has(connectionId(connection)) || !oldConnections?.has(connectionId(connection)),
    ),
    ...mine.connections.filter(
      (connection) =>
        !oldConnections?.has(connectionId(connection)) &&
        !theirs.connections.some((other) => connectionId(other) === connectionId(connection)),
    ),
  ];
  const graph: Definition = {
    nodes,
    connections: connections.filter(({ sourceNode, targetNode }) => keptIds.has(sourceNode) && keptIds.has(targetNode)),
  };
  return mergeAnnotations(graph, base, mine, theirs);
}
