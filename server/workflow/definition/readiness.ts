import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findNodeType } from '@/server/workflow/nodes';
import { findInnerDefinition, listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import { connectorIssues } from './connectors';
import { credentialIssues } from './credentials';

function definitionReadiness({ nodes }: WorkflowDefinition, prefix: string): FieldIssue[] {
  const hasStart = nodes.some(({ type, disabled }) => findNodeType(type)?.hasInput === false && !disabled);
  const issues = hasStart ? [] : [{ field: `${prefix}nodes`, message: 'a start node is needed' }];
  for (const [index, node] of nodes.entries()) issues.push(...nodeReadiness(node, `${prefix}nodes[${index}]`));
  return issues;
}

/** Issues of missing parts of a node and of the nodes inside it. */
function nodeReadiness(node: WorkflowNode, place: string, isTool = false): FieldIssue[] {
  const { type, config, disabled, credentialId } = node;
  const kind = findNodeType(type);
  if (!kind || disabled) return [];
  const at = `${place}.config.`;
  const missing = kind.required.filter(
    (field) => config[field] === undefined || config[field] === '' || config[field] === null,
  );
  const gaps = kind.gaps?.(config, credentialId !== undefined, isTool) ?? [];
  const inner = findInnerDefinition(node);
  const tools = inner ? [] : listInnerNodes(node);
  return [
    ...missing.map((field) => ({ field: `${at}${field}`, message: 'is required' })),
    ...gaps.map(({ field, message }) => ({ field: `${at}${field}`, message })),
    ...(inner ? definitionReadiness(inner.definition, `${at}${inner.field}.`) : []),
    ...tools.flatMap((tool) => nodeReadiness(tool.node, `${place}.${tool.at}`, true)),
  ];
}

/**
 * Missing parts of a definition for activation or a run: a start node (several are allowed: a run begins at each),
 * required config. Disabled nodes pass their input on and need nothing. The definition must have no definitionIssues.
 */
export const readinessIssues = (definition: WorkflowDefinition): FieldIssue[] => definitionReadiness(definition, '');

/** All issues that prevent a run of a definition in a workspace, for any trigger. */
export const activationIssues = async (
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> => [
  ...readinessIssues(definition),
  ...(await credentialIssues(db, workspaceId, definition)),
  ...(await connectorIssues(db, workspaceId, definition)),
];
