import { isSame } from '../canvas/compare';
import { wireId } from '../canvas/flow';
import type { Definition, Node } from '@/contract/workflow';
import { mergeAnnotations } from './merge-annotations';

export type Side = 'mine' | 'theirs';

/** A node that both changed since `base`, each otherwise. Undefined: removed. */
export interface Contested {
  id: string;
  mine: Node | undefined;
  theirs: Node | undefined;
}

const byId = ({ nodes }: Definition) => new Map(nodes.map((node) => [node.id, node]));

/** Where two people did different things to the same node. A place on the canvas is not worth a question. */
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
 * Both people's changes since `base` in one definition. `choices` settles contested nodes; without one, mine stays.
 * Connections to nodes that are gone go with them.
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
  const kept = new Set(nodes.map(({ id }) => id));
  const [oldWires, myWires] = [base, mine].map(({ connections }) => new Set(connections.map(wireId)));
  const connections = [
    ...theirs.connections.filter((wire) => myWires?.has(wireId(wire)) || !oldWires?.has(wireId(wire))),
    ...mine.connections.filter(
      (wire) => !oldWires?.has(wireId(wire)) && !theirs.connections.some((other) => wireId(other) === wireId(wire)),
    ),
  ];
  const graph: Definition = {
    nodes,
    connections: connections.filter(({ sourceNode, targetNode }) => kept.has(sourceNode) && kept.has(targetNode)),
  };
  return mergeAnnotations(graph, base, mine, theirs);
}
