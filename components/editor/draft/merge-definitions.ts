import { isSameJson } from '@/components/graph/compare';
import { connectionId } from '@/components/graph/cards-and-edges';
import { definitionDialect } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition, WorkflowDraft, WorkflowNode } from '@/contract/workflows/workflow';
import { mergeAnnotations } from './merge-annotations';

export type ConflictSide = 'mine' | 'theirs';

/** What two people changed differently since the version that both began with. */
export type MergeConflict = {
  /** Names the conflict in the choices of a merge. */
  key: string;
  mine: unknown;
  theirs: unknown;
} & (
  | {
      kind: 'field';
      /** Ids of the loops around the node, and its own. */
      nodePath: readonly string[];
      /** The path in the node: `config.url`, `name`. */
      field: string;
    }
  /** One removed the node that the other changed, or both added different nodes. Undefined: removed. */
  | { kind: 'node'; nodePath: readonly string[]; mine?: WorkflowNode; theirs?: WorkflowNode }
  /** One changed the language: texts of one must not land in a definition of the other, so one side is taken whole. */
  | { kind: 'language' }
);

/** What a merge is about. */
export type NamedDefinition = Pick<WorkflowDraft, 'name' | 'definition'>;

export interface MergedDraft extends NamedDefinition {
  /** All conflicts, also those that are decided. At the others the definition has mine. */
  conflicts: MergeConflict[];
}

/**
 * Three-way merge of both changes since `base`, down to single fields of nodes and into the bodies of loops. `choices`
 * decides conflicts by their keys. Positions are no conflict. Connections of removed nodes are removed.
 */
export function mergeDrafts(
  base: NamedDefinition,
  mine: NamedDefinition,
  theirs: NamedDefinition,
  choices: ReadonlyMap<string, ConflictSide> = new Map(),
): MergedDraft {
  const conflicts: MergeConflict[] = [];
  const merge = new DraftMerge(choices, conflicts);
  const { name } = merge.mergeFields({ name: base.name }, { name: mine.name }, { name: theirs.name }, [], '');
  return { name, definition: merge.mergeDefinitions(base.definition, mine.definition, theirs.definition), conflicts };
}

/** Like `mergeDrafts`, for definitions. At conflicts it has mine. */
export const mergeDefinitions = (
  base: WorkflowDefinition,
  mine: WorkflowDefinition,
  theirs: WorkflowDefinition,
): WorkflowDefinition => new DraftMerge(new Map(), []).mergeDefinitions(base, mine, theirs);

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDefinition = (value: unknown): value is WorkflowDefinition =>
  isPlainObject(value) && Array.isArray(value['nodes']) && Array.isArray(value['connections']);

const indexNodesById = ({ nodes }: WorkflowDefinition) => new Map(nodes.map((node) => [node.id, node]));

const isSameExceptPosition = (a: WorkflowNode | undefined, b: WorkflowNode | undefined) =>
  isSameJson(a && { ...a, position: null }, b && { ...b, position: null });

/** One merge: the choices that were made, and the conflicts that it finds. */
class DraftMerge {
  constructor(
    private readonly choices: ReadonlyMap<string, ConflictSide>,
    private readonly conflicts: MergeConflict[],
  ) {}

  mergeDefinitions(base: WorkflowDefinition, mine: WorkflowDefinition, theirs: WorkflowDefinition): WorkflowDefinition {
    if (definitionDialect(mine) === definitionDialect(theirs)) return this.mergeGraphs(base, mine, theirs, []);
    if (isSameJson(base, mine)) return theirs;
    if (isSameJson(base, theirs)) return mine;
    return this.decide({ kind: 'language', key: 'language', mine, theirs }) === 'theirs' ? theirs : mine;
  }

  private mergeGraphs(
    base: WorkflowDefinition,
    mine: WorkflowDefinition,
    theirs: WorkflowDefinition,
    path: readonly string[],
  ): WorkflowDefinition {
    const [was, my, their] = [indexNodesById(base), indexNodesById(mine), indexNodesById(theirs)];
    const nodes = [...new Set([...their.keys(), ...my.keys()])].flatMap(
      (id) => this.mergeNodes(was.get(id), my.get(id), their.get(id), [...path, id]) ?? [],
    );
    const kept = new Set(nodes.map(({ id }) => id));
    const connections = mergeConnections(base, mine, theirs).filter(
      ({ sourceNode, targetNode }) => kept.has(sourceNode) && kept.has(targetNode),
    );
    const other = ({ nodes: _, connections: __, notes: ___, groups: ____, ...rest }: WorkflowDefinition) => rest;
    const rest = this.mergeFields(other(base), other(mine), other(theirs), path, '');
    return mergeAnnotations({ ...rest, nodes, connections }, base, mine, theirs);
  }

  /** Undefined: removed. */
  private mergeNodes(
    old: WorkflowNode | undefined,
    mine: WorkflowNode | undefined,
    theirs: WorkflowNode | undefined,
    nodePath: readonly string[],
  ): WorkflowNode | undefined {
    // Most nodes are the same objects in both, so that nothing is compared.
    if (old === mine) return theirs;
    if (!mine || !theirs) {
      if (isSameExceptPosition(old, mine)) return theirs;
      if (isSameExceptPosition(old, theirs)) return mine;
      return this.decideNode(nodePath, mine, theirs);
    }
    const position = isSameJson(old?.position, mine.position) ? theirs.position : mine.position;
    if (isSameExceptPosition(old, mine)) return { ...theirs, position };
    if (isSameExceptPosition(old, theirs) || isSameExceptPosition(mine, theirs)) return { ...mine, position };
    if (old?.type !== mine.type || mine.type !== theirs.type) return this.decideNode(nodePath, mine, theirs);
    return { ...this.mergeFields({ ...old, position }, { ...mine, position }, { ...theirs, position }, nodePath, '') };
  }

  private decideNode(
    nodePath: readonly string[],
    mine: WorkflowNode | undefined,
    theirs: WorkflowNode | undefined,
  ): WorkflowNode | undefined {
    return this.decide({ kind: 'node', key: nodePath.join('/'), nodePath, mine, theirs }) === 'theirs' ? theirs : mine;
  }

  mergeFields<Fields extends object>(
    old: Fields,
    mine: Fields,
    theirs: Fields,
    nodePath: readonly string[],
    prefix: string,
  ): Fields {
    const entry = (fields: Fields, name: string): unknown => (fields as Record<string, unknown>)[name];
    const merged = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) => {
      const field = prefix === '' ? name : `${prefix}.${name}`;
      const value = this.mergeValues(entry(old, name), entry(mine, name), entry(theirs, name), nodePath, field);
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(merged) as Fields;
  }

  private mergeValues(
    old: unknown,
    mine: unknown,
    theirs: unknown,
    nodePath: readonly string[],
    field: string,
  ): unknown {
    if (isSameJson(mine, theirs) || isSameJson(old, theirs)) return mine;
    if (isSameJson(old, mine)) return theirs;
    if (isDefinition(old) && isDefinition(mine) && isDefinition(theirs))
      return this.mergeGraphs(old, mine, theirs, nodePath);
    if (isPlainObject(old) && isPlainObject(mine) && isPlainObject(theirs))
      return this.mergeFields(old, mine, theirs, nodePath, field);
    const conflict = { kind: 'field', key: `${nodePath.join('/')} ${field}`, nodePath, field, mine, theirs } as const;
    return this.decide(conflict) === 'theirs' ? theirs : mine;
  }

  private decide(conflict: MergeConflict): ConflictSide {
    this.conflicts.push(conflict);
    return this.choices.get(conflict.key) ?? 'mine';
  }
}

function mergeConnections(base: WorkflowDefinition, mine: WorkflowDefinition, theirs: WorkflowDefinition) {
  const [old, my, their] = [base, mine, theirs].map(({ connections }) => new Set(connections.map(connectionId)));
  const has = (ids: Set<string> | undefined, connection: WorkflowDefinition['connections'][number]) =>
    ids?.has(connectionId(connection)) === true;
  return [
    ...theirs.connections.filter((connection) => has(my, connection) || !has(old, connection)),
    ...mine.connections.filter((connection) => !has(old, connection) && !has(their, connection)),
  ];
}
