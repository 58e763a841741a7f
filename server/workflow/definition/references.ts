import { isDeepStrictEqual } from 'node:util';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { definitionDialect } from '@/contract/workflows/expression-language';
import type { ObjectReference } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findNodeType } from '@/server/workflow/nodes';
import { findInnerDefinition, listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import { hasExpression } from '@/server/evaluation/expressions/template';

/** A reference of a node to a credential, workflow, connector or table. `field`: its path inside the definition. */
export type ResourceReference = ObjectReference & {
  /** E.g. `nodes[1].config.body.nodes[0].credentialId`. */
  field: string;
};

interface LocatedNode {
  node: WorkflowNode;
  /** The path of the node inside the definition. */
  at: string;
  /** The ids of the loops around the node and its own id. Identifies the node across versions. */
  key: string;
}

/** Every node of a definition, disabled ones and those inside loops included. */
function locateNodes({ nodes }: WorkflowDefinition): LocatedNode[] {
  return nodes.flatMap((node, index) => locateNodeAndInner(node, `nodes[${index}]`, []));
}

/** A node, and every node inside of it, including the tools of an agent. */
function locateNodeAndInner(node: WorkflowNode, at: string, above: string[]): LocatedNode[] {
  const ids = [...above, node.id];
  const within = listInnerNodes(node).flatMap((inner) => locateNodeAndInner(inner.node, `${at}.${inner.at}`, ids));
  return [{ node, at, key: JSON.stringify(ids) }, ...within];
}

/** The references of one node. The value of an expression is known, and checked, only at run time. */
function nodeReferences({ node, at }: LocatedNode): ResourceReference[] {
  const found: ResourceReference[] = [];
  if (node.credentialId !== undefined) {
    found.push({ resource: 'credential', id: node.credentialId, field: `${at}.credentialId` });
  }
  const kind = findNodeType(node.type);
  const literal = (field: string | undefined) => {
    const id = field ? node.config[field] : undefined;
    return typeof id === 'string' && id !== '' && !hasExpression(id)
      ? { id, field: `${at}.config.${field}` }
      : undefined;
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
export async function missingTableIssues(
  db: DatabaseClient,
  workspaceId: string,
  references: ResourceReference[],
): Promise<FieldIssue[]> {
  const named = references.filter(({ resource }) => resource === 'table');
  if (named.length === 0) return [];
  const where = { workspaceId, id: { in: named.map(({ id }) => id) } };
  const known = new Set((await db.dataTable.findMany({ where, select: { id: true } })).map(({ id }) => id));
  return named.flatMap(({ id, field }) =>
    known.has(id) ? [] : { field, message: 'this table does not exist in the workspace' },
  );
}

/** All references of a definition to credentials, workflows, connectors and tables. */
export const definitionReferences = (definition: WorkflowDefinition): ResourceReference[] =>
  locateNodes(definition).flatMap(nodeReferences);

/** A reference that files of a project name by a key. Ids of connectors stay as they are. */
export type KeyedReference = Exclude<ResourceReference, { resource: 'connector' }>;

export const keyedReferences = (definition: WorkflowDefinition): KeyedReference[] =>
  definitionReferences(definition).filter(
    (reference): reference is KeyedReference => reference.resource !== 'connector',
  );

/** The value that contains a reference, and its key there. */
function parentAndKey(definition: WorkflowDefinition, field: string): [Record<string, unknown>, string] {
  const keys = field.split(/[.[\]]+/);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], definition);
  return [parent as Record<string, unknown>, last];
}

/** A copy of a definition in which each reference is what `replace` returns for it. */
export function replaceReferences(
  definition: WorkflowDefinition,
  replace: (reference: KeyedReference) => string,
): WorkflowDefinition {
  const copy = structuredClone(definition);
  for (const reference of keyedReferences(definition)) {
    const [parent, key] = parentAndKey(copy, reference.field);
    parent[key] = replace(reference);
  }
  return copy;
}

/** The part of a node that affects runs: all except its position, name, notes and marks. */
function executableNode({ position: _p, name: _n, notes: _t, unreviewed: _u, ...node }: WorkflowNode): object {
  const inner = findInnerDefinition(node as WorkflowNode);
  return inner ? { ...node, config: { ...node.config, [inner.field]: executableDefinition(inner.definition) } } : node;
}

const executableDefinition = ({ nodes, connections }: WorkflowDefinition) => ({
  nodes: nodes.map(executableNode),
  connections,
});

/** The references of `after` at nodes that are new or changed since `before`. */
export function addedReferences(before: WorkflowDefinition, after: WorkflowDefinition): ResourceReference[] {
  const nodesBefore = new Map(locateNodes(before).map(({ key, node }) => [key, node]));
  return locateNodes(after).flatMap((position) => {
    const references = nodeReferences(position);
    if (references.length === 0) return [];
    const old = nodesBefore.get(position.key);
    return old && isDeepStrictEqual(executableNode(old), executableNode(position.node)) ? [] : references;
  });
}

/** Whether runs of both do the same: they differ at most in positions, names, notes and groups. */
export const runsIdentically = (before: WorkflowDefinition, after: WorkflowDefinition): boolean =>
  definitionDialect(before) === definitionDialect(after) &&
  isDeepStrictEqual(executableDefinition(before), executableDefinition(after));
