import type { Definition, Node } from '@/contract/workflows/workflow';
import { connectionId } from './flow';
import { noteTitle } from './notes';

/** Deep equality of JSON values, independent of the order of fields. */
export const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

export type Change = 'added' | 'removed' | 'changed' | 'moved';

export interface NodeChange {
  id: string;
  change: Change;
  before?: Node;
  after?: Node;
  /** Changed fields: `name`, `config.url`. */
  fields: string[];
}

/** The change of a note or a group. */
export interface AnnotationChange {
  id: string;
  kind: 'note' | 'group';
  title: string;
  change: Change;
}

export interface Comparison {
  nodes: NodeChange[];
  annotations: AnnotationChange[];
  connectionsAdded: number;
  connectionsRemoved: number;
}

/** The differences between two definitions, by node. */
export function compare(before: Definition, after: Definition): Comparison {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  const changes = after.nodes.flatMap((node): NodeChange[] => {
    const previous = old.get(node.id);
    if (!previous) return [{ id: node.id, change: 'added', after: node, fields: [] }];
    const fields = differing(previous, node);
    if (fields.length === 0) return [];
    const change = fields.every((field) => field === 'position') ? 'moved' : 'changed';
    return [{ id: node.id, change, before: previous, after: node, fields }];
  });
  const removed = before.nodes
    .filter((node) => !now.has(node.id))
    .map((node): NodeChange => ({ id: node.id, change: 'removed', before: node, fields: [] }));
  const [oldConnections, newConnections] = [before, after].map(
    ({ connections }) => new Set(connections.map(connectionId)),
  ) as [Set<string>, Set<string>];
  return {
    nodes: [...changes, ...removed],
    annotations: [
      ...annotationChanges('note', noteTitle, before.notes, after.notes),
      ...annotationChanges('group', ({ name }) => name || 'Group', before.groups, after.groups),
    ],
    connectionsAdded: [...newConnections].filter((connection) => !oldConnections.has(connection)).length,
    connectionsRemoved: [...oldConnections].filter((connection) => !newConnections.has(connection)).length,
  };
}

export const isUnchanged = ({ nodes, annotations, connectionsAdded, connectionsRemoved }: Comparison) =>
  nodes.length + annotations.length + connectionsAdded + connectionsRemoved === 0;

function annotationChanges<Item extends { id: string }>(
  kind: AnnotationChange['kind'],
  titleOf: (item: Item) => string,
  before: Item[] = [],
  after: Item[] = [],
): AnnotationChange[] {
  const [old, now] = [before, after].map((items) => new Map(items.map((item) => [item.id, item])));
  const told = (item: Item, change: Change) => ({ id: item.id, kind, title: titleOf(item), change });
  return [
    ...after.flatMap((item) => {
      const previous = old?.get(item.id);
      if (!previous) return [told(item, 'added')];
      if (isSame(previous, item)) return [];
      return [told(item, isSame({ ...previous, position: 0 }, { ...item, position: 0 }) ? 'moved' : 'changed')];
    }),
    ...before.filter(({ id }) => !now?.has(id)).map((item) => told(item, 'removed')),
  ];
}

function differing(before: Node, after: Node): string[] {
  const { config: oldConfig, ...old } = before;
  const { config: newConfig, ...now } = after;
  return [...fieldsOf(old, now, ''), ...fieldsOf(oldConfig, newConfig, 'config.')];
}

function fieldsOf(before: object, after: object, prefix: string): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].filter((name) => !isSame(old.get(name), now.get(name))).map((name) => prefix + name);
}
