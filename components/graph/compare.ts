import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { connectionId } from './cards-and-edges';
import { noteTitle } from './notes';

/** Deep equality of JSON values, independent of the order of fields. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

export type DefinitionChangeType = 'added' | 'removed' | 'changed' | 'moved';

export interface ComparedNode {
  id: string;
  change: DefinitionChangeType;
  before?: WorkflowNode;
  after?: WorkflowNode;
  /** Changed fields: `name`, `config.url`. */
  fields: string[];
}

/** The change of a note or a group. */
export interface ComparedAnnotation {
  id: string;
  kind: 'note' | 'group';
  title: string;
  change: DefinitionChangeType;
}

export interface DefinitionComparison {
  nodes: ComparedNode[];
  annotations: ComparedAnnotation[];
  connectionsAdded: number;
  connectionsRemoved: number;
}

/** The differences between two definitions, by node. */
export function compareDefinitions(before: WorkflowDefinition, after: WorkflowDefinition): DefinitionComparison {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const now = new Map(after.nodes.map((node) => [node.id, node]));
  const changes = after.nodes.flatMap((node): ComparedNode[] => {
    const previous = old.get(node.id);
    if (!previous) return [{ id: node.id, change: 'added', after: node, fields: [] }];
    const fields = changedNodeFields(previous, node);
    if (fields.length === 0) return [];
    const change = fields.every((field) => field === 'position') ? 'moved' : 'changed';
    return [{ id: node.id, change, before: previous, after: node, fields }];
  });
  const removed = before.nodes
    .filter((node) => !now.has(node.id))
    .map((node): ComparedNode => ({ id: node.id, change: 'removed', before: node, fields: [] }));
  const [oldConnections, newConnections] = [before, after].map(
    ({ connections }) => new Set(connections.map(connectionId)),
  ) as [Set<string>, Set<string>];
  return {
    nodes: [...changes, ...removed],
    annotations: [
      ...compareAnnotations('note', noteTitle, before.notes, after.notes),
      ...compareAnnotations('group', ({ name }) => name || 'Group', before.groups, after.groups),
    ],
    connectionsAdded: [...newConnections].filter((connection) => !oldConnections.has(connection)).length,
    connectionsRemoved: [...oldConnections].filter((connection) => !newConnections.has(connection)).length,
  };
}

/** A picked value that was changed: what it was called. Undefined: it was not picked. */
export interface ComparedLabel {
  path: string;
  before: string | undefined;
  after: string | undefined;
}

/** The picked values of a node that are called otherwise than before. */
export function compareNodeLabels(
  { labels: old = {} }: Pick<WorkflowNode, 'labels'>,
  { labels: now = {} }: Pick<WorkflowNode, 'labels'>,
): ComparedLabel[] {
  const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return paths.filter((path) => old[path] !== now[path]).map((path) => ({ path, before: old[path], after: now[path] }));
}

export const hasNoDifferences = ({ nodes, annotations, connectionsAdded, connectionsRemoved }: DefinitionComparison) =>
  nodes.length + annotations.length + connectionsAdded + connectionsRemoved === 0;

function compareAnnotations<Item extends { id: string }>(
  kind: ComparedAnnotation['kind'],
  titleOf: (item: Item) => string,
  before: Item[] = [],
  after: Item[] = [],
): ComparedAnnotation[] {
  const [old, now] = [before, after].map((items) => new Map(items.map((item) => [item.id, item])));
  const told = (item: Item, change: DefinitionChangeType) => ({ id: item.id, kind, title: titleOf(item), change });
  return [
    ...after.flatMap((item) => {
      const previous = old?.get(item.id);
      if (!previous) return [told(item, 'added')];
      if (isSameJson(previous, item)) return [];
      return [told(item, isSameJson({ ...previous, position: 0 }, { ...item, position: 0 }) ? 'moved' : 'changed')];
    }),
    ...before.filter(({ id }) => !now?.has(id)).map((item) => told(item, 'removed')),
  ];
}

function changedNodeFields(before: WorkflowNode, after: WorkflowNode): string[] {
  const { config: oldConfig, ...old } = before;
  const { config: newConfig, ...now } = after;
  return [...differingFieldNames(old, now, ''), ...differingFieldNames(oldConfig, newConfig, 'config.')];
}

function differingFieldNames(before: object, after: object, prefix: string): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].filter((name) => !isSameJson(old.get(name), now.get(name))).map((name) => prefix + name);
}
