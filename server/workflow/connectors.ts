import type { FieldError } from '@/contract/error';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { REQUEST, requestParameters } from '@/server/connectors/catalogue';
import { customConnector, isCustomId } from '@/server/connectors/custom/connector';
import { parametersSchema } from '@/server/connectors/custom/parameters';
import type { Db } from '@/server/db/client';
import { isTemplate } from '@/server/expressions/template';
import { kindOf } from '@/server/nodes';
import { nodesInside } from '@/server/nodes/inside';
import type { ApiOperation } from '@/server/openapi/record';

/** A node that calls a connector of the workspace. */
interface Mention {
  node: Node;
  connectorId: string;
  /** Undefined: not chosen yet, or an expression. */
  operation: string | undefined;
  /** The path of the node. */
  at: string;
  isTool: boolean;
}

function mentionsAt(node: Node, at: string, isTool = false): Mention[] {
  const { connectorId, operation } = node.config;
  const isOne = kindOf(node.type)?.type === 'connector' && isCustomId(connectorId) && !isTemplate(connectorId);
  const isChosen = typeof operation === 'string' && operation !== '' && !isTemplate(operation);
  const areTools = (kindOf(node.type)?.tools ?? undefined) !== undefined;
  return [
    ...(isOne ? [{ node, connectorId, operation: isChosen ? operation : undefined, at, isTool }] : []),
    ...nodesInside(node).flatMap((inner) => mentionsAt(inner.node, `${at}.${inner.at}`, areTools)),
  ];
}

const mentionsIn = ({ nodes }: Definition): Mention[] =>
  nodes.flatMap((node, index) => mentionsAt(node, `nodes[${index}]`));

const UNKNOWN = 'this connector does not exist in the workspace';

/**
 * Connectors of workspaces that `after` names and that this workspace does not have. What `before` names already may stay: it was deleted
 * since.
 */
export async function unknownConnectors(
  db: Db,
  workspaceId: string,
  after: Definition,
  before: Definition,
): Promise<FieldError[]> {
  const all = mentionsIn(after);
  if (all.length === 0) return [];
  const old = new Set(mentionsIn(before).map(({ connectorId }) => connectorId));
  const mentions = all.filter(({ connectorId }) => !old.has(connectorId));
  const where = { workspaceId, id: { in: [...new Set(mentions.map(({ connectorId }) => connectorId))] } };
  const rows = await db.connector.findMany({ where, select: { id: true } });
  const known = new Set(rows.map(({ id }) => id));
  return mentions.flatMap(({ connectorId, at }) =>
    known.has(connectorId) ? [] : [{ field: `${at}.config.connectorId`, message: UNKNOWN }],
  );
}

/** The operations that a definition uses, by the connector of the workspace. */
export function operationsUsed(definition: Definition): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const { connectorId, operation } of mentionsIn(definition)) {
    if (operation === undefined) continue;
    used.set(connectorId, (used.get(connectorId) ?? new Set()).add(operation));
  }
  return used;
}

/** What nodes that call connectors of the workspace lack: the connector, its operation, parameters, a credential. */
export async function connectorIssues(db: Db, workspaceId: string, definition: Definition): Promise<FieldError[]> {
  const mentions = mentionsIn(definition).filter(({ node }) => !node.disabled);
  if (mentions.length === 0) return [];
  const ids = [...new Set(mentions.map(({ connectorId }) => connectorId))];
  const rows = await db.connector.findMany({ where: { workspaceId, id: { in: ids } } });
  const connectors = new Map(rows.map((row) => [row.id, customConnector(row)]));
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
    if (!connector) return [{ field: `${at}.config.connectorId`, message: UNKNOWN }];
    const record = records.get(`${connectorId} ${operation}`);
    const needsCredential = connector.custom?.needsCredential && !record?.isPublic && node.credentialId === undefined;
    const lacking = needsCredential ? [{ field: `${at}.credentialId`, message: 'is required' }] : [];
    if (operation === undefined) return lacking;
    const isRequest = operation === REQUEST;
    if (!record && !isRequest)
      return [...lacking, { field: `${at}.config.operation`, message: `is not an operation of ${connector.name}` }];
    const schema = record ? schemaOf(record) : requestSchema(Object.keys(requestParameters(connector).shape));
    return [...lacking, ...parameterIssues(mention, schema)];
  });
}

interface Names {
  all: Set<string>;
  required: string[];
}

const requestSchema = (names: string[]): Names => ({ all: new Set(names), required: ['path'] });

function schemaOf(record: ApiOperation): Names {
  const { properties, required = [] } = parametersSchema(record) as { properties: object; required?: string[] };
  return { all: new Set(Object.keys(properties)), required };
}

function parameterIssues({ node, operation, at, isTool }: Mention, { all, required }: Names): FieldError[] {
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
