import { isSameJson } from '@/components/graph/compare';
import { connectionId } from '@/components/graph/cards-and-edges';
import { definitionDialect } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { mergeAnnotations } from './merge-annotations';

export type ConflictSide = 'mine' | 'theirs';

/** A conflict: both changed the node differently since `base`. Undefined: removed. */
export interface NodeConflict {
  id: string;
  mine: WorkflowNode | undefined;
  theirs: WorkflowNode | undefined;
}

const indexNodesById = ({ nodes }: WorkflowDefinition) => new Map(nodes.map((node) => [node.id, node]));

const haveOneLanguage = (one: WorkflowDefinition, other: WorkflowDefinition): boolean =>
  definitionDialect(one) === definitionDialect(other);

/**
 * The nodes that two people changed differently. Positions are no conflict. If one of them changed the language, all
 * nodes that differ are in conflict.
 */
export function findNodeConflicts(
  base: WorkflowDefinition,
  mine: WorkflowDefinition,
  theirs: WorkflowDefinition,
): NodeConflict[] {
  const [was, my, their] = [indexNodesById(base), indexNodesById(mine), indexNodesById(theirs)];
  const ids = [...new Set([...my.keys(), ...their.keys(), ...was.keys()])];
  return ids.flatMap((id) => {
    const [old, a, b] = [was, my, their].map((nodes) => nodes.get(id));
    if (!haveOneLanguage(mine, theirs)) return isSameExceptPosition(a, b) ? [] : [{ id, mine: a, theirs: b }];
    const isQuestion = !isSameExceptPosition(a, b) && !isSameExceptPosition(old, a) && !isSameExceptPosition(old, b);
    return isQuestion ? [{ id, mine: a, theirs: b }] : [];
  });
}

const isSameExceptPosition = (a: WorkflowNode | undefined, b: WorkflowNode | undefined) =>
  isSameJson(a && { ...a, position: null }, b && { ...b, position: null });

/**
 * Three-way merge of both changes since `base`. `choices` resolves conflicts; the default is mine. Connections of
 * removed nodes are removed.
 */
export function mergeDefinitions(
  base: WorkflowDefinition,
  mine: WorkflowDefinition,
  theirs: WorkflowDefinition,
  choices: ReadonlyMap<string, ConflictSide> = new Map(),
): WorkflowDefinition {
  // Texts of one language must not land in a definition of the other: one side is taken as a whole.
  if (!haveOneLanguage(mine, theirs)) return [...choices.values()].includes('theirs') ? theirs : mine;
  const [was, my, their] = [indexNodesById(base), indexNodesById(mine), indexNodesById(theirs)];
  const pick = (id: string): WorkflowNode | undefined => {
    const [old, a, b] = [was.get(id), my.get(id), their.get(id)];
    if (choices.has(id)) return choices.get(id) === 'theirs' ? b : a;
    return isSameJson(old, a) || (isSameExceptPosition(old, a) && !isSameExceptPosition(old, b)) ? b : a;
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
  const graph: WorkflowDefinition = {
    nodes,
    ...(mine.language ? { language: mine.language } : {}),
    ...(mine.prelude ? { prelude: mine.prelude } : {}),
    connections: connections.filter(({ sourceNode, targetNode }) => keptIds.has(sourceNode) && keptIds.has(targetNode)),
  };
  return mergeAnnotations(graph, base, mine, theirs);
}
