import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '@/contract/error';
import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Named } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { kindOf } from '@/server/nodes';
import { definitionInside, nodesInside } from '@/server/nodes/inside';
import { isTemplate } from '@/server/expressions/template';

/** A reference of a node to a credential, workflow, connector or table. `field`: its path inside the definition. */
export type Reference = Named & {
  /** E.g. `nodes[1].config.body.nodes[0].credentialId`. */
  field: string;
};

interface Place {
  node: Node;
  /** The path of the node inside the definition. */
  at: string;
  /** The ids of the loops around the node and its own id. Identifies the node across versions. */
  key: string;
}

/** Every node of a definition, disabled ones and those inside loops included. */
function placesIn({ nodes }: Definition): Place[] {
  return nodes.flatMap((node, index) => placesAt(node, `nodes[${index}]`, []));
}

/** A node, and every node inside it: also the tools of an agent. */
function placesAt(node: Node, at: string, above: string[]): Place[] {
  const ids = [...above, node.id];
  const within = nodesInside(node).flatMap((inner) => placesAt(inner.node, `${at}.${inner.at}`, ids));
  return [{ node, at, key: JSON.stringify(ids) }, ...within];
}

/** The value of an expression is known only at run time, and checked there. */
function referencesAt({ node, at }: Place): Reference[] {
  const found: Reference[] = [];
  if (node.credentialId !== undefined) {
    found.push({ resource: 'credential', id: node.credentialId, field: `${at}.credentialId` });
  }
  const kind = kindOf(node.type);
  const literal = (field: string | undefined) => {
    const id = field ? node.config[field] : undefined;
    return typeof id === 'string' && id !== '' && !isTemplate(id) ? { id, field: `${at}.config.${field}` } : undefined;
  };
  const workflow = literal(kind?.workflowField);
  if (workflow) found.push({ resource: 'workflow', ...workflow });
  const connector = literal(kind?.connectorField);
  if (connector) found.push({ resource: 'connector', ...connector });
  const table = literal(kind?.table?.field);
  if (table && kind?.table) found.push({ resource: 'table', action: kind.table.action(node.config), ...table });
  return found;
}

/** References to tables that the workspace does not have: unknown ones and those of other workspaces alike. */
export async function tableIssues(db: Db, workspaceId: string, references: Reference[]): Promise<FieldError[]> {
  const named = references.filter(({ resource }) => resource === 'table');
  if (named.length === 0) return [];
  const where = { workspaceId, id: { in: named.map(({ id }) => id) } };
  const known = new Set((await db.dataTable.findMany({ where, select: { id: true } })).map(({ id }) => id));
  return named.flatMap(({ id, field }) =>
    known.has(id) ? [] : { field, message: 'this table does not exist in the workspace' },
  );
}

/** All references of a definition to credentials, workflows, connectors and tables. */
export const referencesIn = (definition: Definition): Reference[] => placesIn(definition).flatMap(referencesAt);

/** A reference that files of a project name by a key. Ids of connectors stay as they are. */
export type KeyedReference = Exclude<Reference, { resource: 'connector' }>;

export const keyedReferencesIn = (definition: Definition): KeyedReference[] =>
  referencesIn(definition).filter((reference): reference is KeyedReference => reference.resource !== 'connector');

/** The value that contains a reference, and its key there. */
function parentOf(definition: Definition, field: string): [Record<string, unknown>, string] {
  const keys = field.split(/[.[\]]+/);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], definition);
  return [parent as Record<string, unknown>, last];
}

/** A copy of a definition in which each reference is what `replace` returns for it. */
export function withReferences(definition: Definition, replace: (reference: KeyedReference) => string): Definition {
  const copy = structuredClone(definition);
  for (const reference of keyedReferencesIn(definition)) {
    const [parent, key] = parentOf(copy, reference.field);
    parent[key] = replace(reference);
  }
  return copy;
}

/** The part of a node that affects runs: all except its position, name and notes. */
function executable({ position: _p, name: _n, notes: _t, ...node }: Node): object {
  const inner = definitionInside(node as Node);
  return inner ? { ...node, config: { ...node.config, [inner.field]: executablePart(inner.definition) } } : node;
}

const executablePart = ({ nodes, connections }: Definition) => ({ nodes: nodes.map(executable), connections });

/** The references of `after` at nodes that are new or changed since `before`. */
export function newReferences(before: Definition, after: Definition): Reference[] {
  const nodesBefore = new Map(placesIn(before).map(({ key, node }) => [key, node]));
  return placesIn(after).flatMap((position) => {
    const references = referencesAt(position);
    if (references.length === 0) return [];
    const old = nodesBefore.get(position.key);
    return old && isDeepStrictEqual(executable(old), executable(position.node)) ? [] : references;
  });
}

/** Whether runs of both do the same: they differ at most in positions, names, notes and groups. */
export const runsAlike = (before: Definition, after: Definition): boolean =>
  isDeepStrictEqual(executablePart(before), executablePart(after));
