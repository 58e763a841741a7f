import { prisma, type Db } from '@/server/db/client';
import { Lru } from '@/server/lru';
import type { ApiOperation } from '@/server/openapi/record';
import type { Connector } from '../connector';
import type { DataOperation } from '../operation';
import { customConnector } from './connector';
import { dataOperation } from './operation';
import { parametersSchema } from './parameters';

const COLUMNS = { id: true, workspaceId: true, name: true, description: true, version: true, frame: true } as const;

/** A connector of a workspace, without its operations. `isLocked`: it cannot change until the transaction ends. */
export async function findCustom(
  db: Db,
  workspaceId: string,
  id: string,
  isLocked = false,
): Promise<Connector | undefined> {
  if (isLocked)
    await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} AND workspace_id = ${workspaceId} FOR SHARE`;
  const row = await db.connector.findFirst({ where: { id, workspaceId }, select: COLUMNS });
  return row ? customConnector(row) : undefined;
}

/** Operations, and characters of their records, that a process keeps. */
const MAX_OPERATIONS = 1000;
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** By connector, version and id: within a version they do not change. */
const operations = new Lru<DataOperation>(MAX_OPERATIONS, MAX_CHARACTERS);

/** An operation of a connector of a workspace. */
export async function findCustomOperation(connector: Connector, id: string): Promise<DataOperation | undefined> {
  const key = `${connector.id} ${connector.custom?.version} ${id}`;
  const known = operations.get(key);
  if (known) return known;
  const row = await prisma().connectorOperation.findUnique({
    where: { connectorId_operation: { connectorId: connector.id, operation: id } },
    select: { record: true, connector: { select: { version: true } } },
  });
  if (!row) return undefined;
  const record = row.record as unknown as ApiOperation;
  const operation = dataOperation(record);
  operations.set(`${connector.id} ${row.connector.version} ${id}`, operation, JSON.stringify(record).length);
  return operation;
}

/** What is known of an operation of a workspace's connector: for people and models. */
export interface CustomOperationFacts {
  title: string;
  help: string;
  /** JSON Schema (draft 7) of its parameters. */
  parameters: Record<string, unknown>;
}

/** An operation of a workspace's connector by its ids; undefined: the workspace has no such one. */
export async function findCustomFacts(
  workspaceId: string,
  connectorId: string,
  operation: string,
): Promise<CustomOperationFacts | undefined> {
  const row = await prisma().connectorOperation.findFirst({
    where: { connectorId, operation, connector: { workspaceId } },
    select: { title: true, help: true, record: true },
  });
  if (!row) return undefined;
  const { title, help, record } = row;
  return { title, help, parameters: parametersSchema(record as unknown as ApiOperation) };
}
