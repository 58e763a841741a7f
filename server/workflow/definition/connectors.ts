import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { REQUEST_OPERATION_ID, requestParameterSchema } from '@/server/connectors/catalogue';
import { toCustomConnector, isCustomConnectorId } from '@/server/connectors/custom/connector';
import { parametersJsonSchema } from '@/server/connectors/custom/parameters';
import type { DatabaseClient } from '@/server/platform/db/client';
import { hasExpression } from '@/server/evaluation/expressions/template';
import { findNodeType } from '@/server/workflow/nodes';
import { listInnerNodes } from '@/server/workflow/nodes/inner-nodes';
import type { ApiOperation } from '@/server/evaluation/openapi/record';

/** A node that calls a connector of the workspace. */
interface ConnectorMention {
  node: WorkflowNode;
  connectorId: string;
  /** Undefined: not chosen yet, or an expression. */
  operation: string | undefined;
  /** The path of the node. */
  at: string;
  isTool: boolean;
}

function nodeConnectorMentions(node: WorkflowNode, at: string, isTool = false): ConnectorMention[] {
  const { connectorId, operation } = node.config;
  const isOne =
    findNodeType(node.type)?.type === 'connector' && isCustomConnectorId(connectorId) && !hasExpression(connectorId);
  const isChosen = typeof operation === 'string' && operation !== '' && !hasExpression(operation);
  const areTools = (findNodeType(node.type)?.tools ?? undefined) !== undefined;
  return [
    ...(isOne ? [{ node, connectorId, operation: isChosen ? operation : undefined, at, isTool }] : []),
    ...listInnerNodes(node).flatMap((inner) => nodeConnectorMentions(inner.node, `${at}.${inner.at}`, areTools)),
  ];
}

const connectorMentions = ({ nodes }: WorkflowDefinition): ConnectorMention[] =>
  nodes.flatMap((node, index) => nodeConnectorMentions(node, `nodes[${index}]`));

const UNKNOWN_CONNECTOR = 'this connector does not exist in the workspace';

/**
 * Issues of custom connectors that `after` names and that this workspace does not have. One that `before` names already
 * may stay, because it was deleted since.
 */
export async function unknownConnectorIssues(
  db: DatabaseClient,
  workspaceId: string,
  after: WorkflowDefinition,
  before: WorkflowDefinition,
): Promise<FieldIssue[]> {
  const all = connectorMentions(after);
  if (all.length === 0) return [];
  const old = new Set(connectorMentions(before).map(({ connectorId }) => connectorId));
  const mentions = all.filter(({ connectorId }) => !old.has(connectorId));
  const where = { workspaceId, id: { in: [...new Set(mentions.map(({ connectorId }) => connectorId))] } };
  const rows = await db.connector.findMany({ where, select: { id: true } });
  const known = new Set(rows.map(({ id }) => id));
  return mentions.flatMap(({ connectorId, at }) =>
    known.has(connectorId) ? [] : [{ field: `${at}.config.connectorId`, message: UNKNOWN_CONNECTOR }],
  );
}

/** The operations that a definition uses, by the connector of the workspace. */
export function operationsUsed(definition: WorkflowDefinition): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { connectorId, operation } of connectorMentions(definition)) {
    if (operation === undefined) continue;
    used.set(connectorId, (used.get(connectorId) ?? new Set()).add(operation));
  }
  return used;
}

/** Issues of nodes that call connectors of the workspace: a missing connector, operation, parameter or credential. */
export async function connectorIssues(
  db: DatabaseClient,
  workspaceId: string,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> {
  const mentions = connectorMentions(definition).filter(({ node }) => !node.disabled);
  if (mentions.length === 0) return [];
  const ids = [...new Set(mentions.map(({ connectorId }) => connectorId))];
  const rows = await db.connector.findMany({ where: { workspaceId, id: { in: ids } } });
  const connectors = new Map(rows.map((row) => [row.id, toCustomConnector(row)]));
  const names = [...new Set(mentions.flatMap(({ operation }) => operation ?? []))];
  const operations = await db.connectorOperation.findMany({
    where: { connectorId: { in: [...connectors.keys()] }, operation: { in: names } },
    select: { connectorId: true, operation: true, record: true },
  });
  const records = new Map(
    operations.map((row) => [`${row.connectorId} ${row.operation}`, row.record as unknown as ApiOperation]),
  );
  return mentions.flatMap((mention) => {
    const { connectorId, operation, at, node } = mention;
    const connector = connectors.get(connectorId);
    if (!connector) return [{ field: `${at}.config.connectorId`, message: UNKNOWN_CONNECTOR }];
    const record = records.get(`${connectorId} ${operation}`);
    const needsCredential = connector.custom?.needsCredential && !record?.isPublic && node.credentialId === undefined;
    const lacking = needsCredential ? [{ field: `${at}.credentialId`, message: 'is required' }] : [];
    if (operation === undefined) return lacking;
    const isRequest = operation === REQUEST_OPERATION_ID;
    if (!record && !isRequest)
      return [...lacking, { field: `${at}.config.operation`, message: `is not an operation of ${connector.name}` }];
    const schema = record
      ? recordParameterNames(record)
      : requestParameterNames(Object.keys(requestParameterSchema(connector).shape));
    return [...lacking, ...mentionParameterIssues(mention, schema)];
  });
}

interface ParameterNames {
  all: Set<string>;
  required: string[];
}

const requestParameterNames = (names: string[]): ParameterNames => ({ all: new Set(names), required: ['path'] });

function recordParameterNames(record: ApiOperation): ParameterNames {
  const { properties, required = [] } = parametersJsonSchema(record) as { properties: object; required?: string[] };
  return { all: new Set(Object.keys(properties)), required };
}

function mentionParameterIssues(
  { node, operation, at, isTool }: ConnectorMention,
  { all, required }: ParameterNames,
): FieldIssue[] {
  const { parameters = {} } = node.config;
  if (typeof parameters !== 'object' || parameters === null) return [];
  const values = parameters as Record<string, unknown>;
  const missing = isTool ? [] : required.filter((name) => values[name] === undefined);
  const unknown = Object.keys(values).filter((name) => !all.has(name));
  const field = (name: string) => `${at}.config.parameters.${name}`;
  return [
    ...missing.map((name) => ({ field: field(name), message: 'is required' })),
    ...unknown.map((name) => ({ field: field(name), message: `is not a parameter of ${operation}` })),
  ];
}
