import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { roundSuffix, findNestedNode } from '@/components/runs/timeline/rounds';
import { isDrawableDefinition } from '@/components/graph/drawable';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';

/** A node that a test can name. */
export interface TestableNode {
  /** The key of the node in the test: its id, or inside loops a path such as `loop[].inner`. */
  path: string;
  title: string;
  /** Whether the node fails in the test without a mock. */
  needsMock: boolean;
}

/**
 * All nodes of a workflow except start nodes, also those inside loops. `mark` stands for the rounds in the paths of
 * nodes inside loops.
 */
export function listTestableNodes(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  mark: '[]' | '[0]',
  prefix = '',
): TestableNode[] {
  return definition.nodes.flatMap((node) => {
    const kind = catalogue.get(node.type);
    const own = { path: prefix + node.id, title: nodeTitle(node, kind), needsMock: kind?.needsMock === true };
    const { body } = node.config;
    const inner = isDrawableDefinition(body) ? listTestableNodes(body, catalogue, mark, `${own.path}${mark}.`) : [];
    return kind?.ports.inputs.length === 0 ? inner : [own, ...inner];
  });
}

const firstRoundPath = (path: string) => path.replaceAll('[].', '[0].');

/** The node that a key of a test names. */
export const findTestNode = (definition: WorkflowDefinition, path: string): WorkflowNode | undefined =>
  findNestedNode(definition, firstRoundPath(path));

/**
 * The title of a node with its round: `Read, round 3`, `Read, every round`. A key that names no node is returned
 * unchanged.
 */
export function titleWithRound(definition: WorkflowDefinition, catalogue: NodeTypesByName, path: string): string {
  const node = findTestNode(definition, path);
  if (!node) return path;
  const every = path.includes('[].') ? ', every round' : '';
  return nodeTitle(node, catalogue.get(node.type)) + every + roundSuffix(path);
}

const ROUND_PATTERN = /\[(\d*)\]\./g;

/** The rounds in a key, from the outside in; undefined: every round. */
export const roundsInNodePath = (path: string): (number | undefined)[] =>
  [...path.matchAll(ROUND_PATTERN)].map(([, round]) => (round === '' ? undefined : Number(round)));

/** The key with another round at one of its loops. */
export function setRoundInPath(path: string, place: number, round: number | undefined): string {
  let at = -1;
  return path.replace(ROUND_PATTERN, (mark) => {
    at += 1;
    return at === place ? `[${round ?? ''}].` : mark;
  });
}

/** A record with another key at the same place. */
export const renameRecordKey = <Value>(
  record: Record<string, Value>,
  from: string,
  to: string,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));

/** A record without a key. */
export const omitRecordKey = <Value>(record: Record<string, Value>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
