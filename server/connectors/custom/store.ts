import { prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { LruCache } from '@/server/platform/cache/lru';
import type { ApiOperation } from '@/server/evaluation/openapi/record';
import type { OperationChoiceSource } from '../choices';
import type { ConnectorDefinition } from '../connector';
import type { DataOperation } from '../operation';
import { toCustomConnector } from './connector';
import { toDataOperation } from './operation';
import { parametersJsonSchema } from './parameters';

const CUSTOM_CONNECTOR_COLUMNS = {
  id: true,
  workspaceId: true,
  name: true,
  description: true,
  version: true,
  frame: true,
} as const;

/** A connector of a workspace, without its operations. `isLocked`: it cannot change until the transaction ends. */
export async function findCustomConnector(
  db: DatabaseClient,
  workspaceId: string,
  id: string,
  isLocked = false,
): Promise<ConnectorDefinition | undefined> {
  if (isLocked)
    await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} AND workspace_id = ${workspaceId} FOR SHARE`;
  const row = await db.connector.findFirst({ where: { id, workspaceId }, select: CUSTOM_CONNECTOR_COLUMNS });
  return row ? toCustomConnector(row) : undefined;
}

/** A process keeps at most this many operations, with this many characters of their records. */
const MAX_CACHED_OPERATIONS = 1000;
const MAX_CACHED_CHARACTERS = 32 * 1024 * 1024;
/** The key consists of connector, version and id: within a version operations do not change. */
const operationCache = new LruCache<DataOperation>(MAX_CACHED_OPERATIONS, MAX_CACHED_CHARACTERS);

/** An operation of a connector of a workspace. */
export async function findCustomOperation(
  connector: ConnectorDefinition,
  id: string,
): Promise<DataOperation | undefined> {
  const key = `${connector.id} ${connector.custom?.version} ${id}`;
  const known = operationCache.get(key);
  if (known) return known;
  const row = await prismaClient().connectorOperation.findUnique({
    where: { connectorId_operation: { connectorId: connector.id, operation: id } },
    select: { record: true, connector: { select: { version: true } } },
  });
  if (!row) return undefined;
  const record = row.record as unknown as ApiOperation;
  const operation = toDataOperation(record);
  operationCache.set(`${connector.id} ${row.connector.version} ${id}`, operation, JSON.stringify(record).length);
  return operation;
}

/** What lists choices by the name of a source, as a parameter of the connector's operations says. */
export async function findCustomSource(
  connector: ConnectorDefinition,
  source: string,
): Promise<OperationChoiceSource | undefined> {
  const row = await prismaClient().connectorOperation.findFirst({
    where: { connectorId: connector.id, record: { path: ['parameters'], array_contains: [{ choices: { source } }] } },
    select: { record: true },
  });
  const { parameters = [] } = (row?.record ?? {}) as unknown as Partial<ApiOperation>;
  const choices = parameters.find((one) => one.choices?.source === source)?.choices;
  if (!choices) return undefined;
  const { operation, items, value, label, from } = choices;
  const list = await findCustomOperation(connector, operation);
  if (!list || list.method !== 'GET') return undefined;
  return { operation, value, label, parametersFrom: from, ...(list.items === undefined ? { items } : {}) };
}

/** An operation of a workspace's connector as people and models see it. */
export interface CustomOperationSummary {
  title: string;
  help: string;
  /** JSON Schema (draft 7) of its parameters. */
  parameters: Record<string, unknown>;
}

/** Finds an operation of a workspace's connector by its ids; undefined: the workspace has no such operation. */
export async function findCustomSummary(
  workspaceId: string,
  connectorId: string,
  operation: string,
): Promise<CustomOperationSummary | undefined> {
  const row = await prismaClient().connectorOperation.findFirst({
    where: { connectorId, operation, connector: { workspaceId } },
    select: { title: true, help: true, record: true },
  });
  if (!row) return undefined;
  const { title, help, record } = row;
  return { title, help, parameters: parametersJsonSchema(record as unknown as ApiOperation) };
}
