import type { FieldError } from '@/contract/error';
import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Db } from '@/server/db/client';
import { kindOf } from '@/server/nodes';
import { definitionInside, nodesInside } from '@/server/nodes/inside';
import { connectorIssues } from './connectors';
import { credentialIssues } from './credentials';

function readinessWithin({ nodes }: Definition, prefix: string): FieldError[] {
  const hasStart = nodes.some(({ type, disabled }) => kindOf(type)?.hasInput === false && !disabled);
  const issues = hasStart ? [] : [{ field: `${prefix}nodes`, message: 'a start node is needed' }];
  for (const [index, node] of nodes.entries()) issues.push(...readinessAt(node, `${prefix}nodes[${index}]`));
  return issues;
}

/** Missing parts of a node, and of what is inside it. */
function readinessAt(node: Node, place: string, isTool = false): FieldError[] {
  const { type, config, disabled, credentialId } = node;
  const kind = kindOf(type);
  if (!kind || disabled) return [];
  const at = `${place}.config.`;
  const missing = kind.required.filter(
    (field) => config[field] === undefined || config[field] === '' || config[field] === null,
  );
  const gaps = kind.gaps?.(config, credentialId !== undefined, isTool) ?? [];
  const inner = definitionInside(node);
  const tools = inner ? [] : nodesInside(node);
  return [
    ...missing.map((field) => ({ field: `${at}${field}`, message: 'is required' })),
    ...gaps.map(({ field, message }) => ({ field: `${at}${field}`, message })),
    ...(inner ? readinessWithin(inner.definition, `${at}${inner.field}.`) : []),
    ...tools.flatMap((tool) => readinessAt(tool.node, `${place}.${tool.at}`, true)),
  ];
}

/**
 * Missing parts of a definition for activation or a run: a start node (several are allowed: a run begins at each), required config.
 * Disabled nodes pass their input on and need nothing. The definition must have no definitionIssues.
 */
export const readinessIssues = (definition: Definition): FieldError[] => readinessWithin(definition, '');

/** All issues that prevent a run of a definition in a workspace, for any trigger. */
export const gapsOf = async (db: Db, workspaceId: string, definition: Definition): Promise<FieldError[]> => [
  ...readinessIssues(definition),
  ...(await credentialIssues(db, workspaceId, definition)),
  ...(await connectorIssues(db, workspaceId, definition)),
];
