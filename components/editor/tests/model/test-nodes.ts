import type { Definition, Node } from '@/contract/workflows/workflow';
import { roundWords, nodeAt } from '@/components/executions/timeline/rounds';
import { isDrawable } from '@/components/graph/drawable';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';

/** A node that a test can name. */
export interface TestNode {
  /** Its key in the test: the id; inside loops a path such as `loop[].inner`. */
  path: string;
  title: string;
  /** Without a mock it fails in the test. */
  needsMock: boolean;
}

/** All nodes of a workflow, also those inside loops, except where it begins. `mark`: the rounds of those inside loops. */
export function testNodes(definition: Definition, catalogue: Catalogue, mark: '[]' | '[0]', prefix = ''): TestNode[] {
  return definition.nodes.flatMap((node) => {
    const kind = catalogue.get(node.type);
    const own = { path: prefix + node.id, title: nodeTitle(node, kind), needsMock: kind?.needsMock === true };
    const { body } = node.config;
    const inner = isDrawable(body) ? testNodes(body, catalogue, mark, `${own.path}${mark}.`) : [];
    return kind?.ports.inputs.length === 0 ? inner : [own, ...inner];
  });
}

const ofFirstRound = (path: string) => path.replaceAll('[].', '[0].');

/** The node that a key of a test names. */
export const testNodeAt = (definition: Definition, path: string): Node | undefined =>
  nodeAt(definition, ofFirstRound(path));

/** Its title with its round: `Read, round 3`, `Read, every round`. A key that names no node stays as it is. */
export function testNodeTitle(definition: Definition, catalogue: Catalogue, path: string): string {
  const node = testNodeAt(definition, path);
  if (!node) return path;
  const every = path.includes('[].') ? ', every round' : '';
  return nodeTitle(node, catalogue.get(node.type)) + every + roundWords(path);
}

const MARK = /\[(\d*)\]\./g;

/** The rounds in a key, from the outside in; undefined: every round. */
export const roundsOfKey = (path: string): (number | undefined)[] =>
  [...path.matchAll(MARK)].map(([, round]) => (round === '' ? undefined : Number(round)));

/** The key with another round at one of its loops. */
export function withRound(path: string, place: number, round: number | undefined): string {
  let at = -1;
  return path.replace(MARK, (mark) => {
    at += 1;
    return at === place ? `[${round ?? ''}].` : mark;
  });
}

/** A record with another key at the same place. */
export const renamed = <Value>(record: Record<string, Value>, from: string, to: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));

/** A record without a key. */
export const without = <Value>(record: Record<string, Value>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
