import { z } from 'zod';
import {
  ConnectorComparison,
  CompareConnectorRequest,
  CreateConnectorRequest,
  ConnectorDetails,
  ConnectorPreview,
  PreviewConnectorRequest,
  UpdateConnectorRequest,
} from '@/contract/connectors/custom-connector';
import type { WorkspaceTier } from '@/contract/tier';
import { Prisma, type Connector as Row } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import { appendAuditEntries } from '@/server/people/audit/record';
import { changeLosesSecrets, removeConnectorSecrets } from '@/server/connectors/custom/secrets';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { conflictProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import type { ApiConnection, ApiOperation } from '@/server/evaluation/openapi/record';
import { requireObjectQuota } from '@/server/platform/quotas/quota';
import { diffConnectorOperations, type ConnectorChanges } from './changes';
import { readConnectorDetails, requireCustomConnector } from './details';
import { MAX_DOCUMENT_BODY_BYTES, readConnectorSource, type ReadDocumentSource } from './document';
import { toConnectorPreview, toOfferedOperation } from './responses';
import { visibleConnectorUses, findConnectorUses } from './uses';

const CUSTOM_CONNECTOR_TAG = 'Connectors';
const CustomConnectorParams = z.strictObject({ id: z.string() });

const toConnectorJson = (value: object) => value as Prisma.InputJsonObject;

const toOperationRows = (connectorId: string, operations: ConnectorChanges['operations']) =>
  operations.map(({ record: one, isRemoved }, position) => ({
    connectorId,
    operation: one.id,
    position,
    title: one.title,
    help: one.help,
    grouping: one.group,
    isRemoved,
    record: toConnectorJson(one),
  }));

/** Runs a change in the transaction of the call, or in one of its own, with the audit entry. */
const writeWithAuditEntry = async <T>(call: SignedInCall, write: (db: DatabaseClient) => Promise<T>): Promise<T> => {
  const audited = async (db: DatabaseClient) => {
    const result = await write(db);
    await appendAuditEntries(db, [call.auditEntry()]);
    return result;
  };
  return call.inTransaction ? audited(call.db) : runInDatabaseTransaction(true, audited);
};

const previewDocumentOperation = defineOperation({
  id: 'connectors.preview',
  method: 'POST',
  path: '/api/connectors/preview',
  summary: 'Look at an OpenAPI document',
  description: 'What a connector from this document would have. Nothing is stored.',
  tag: CUSTOM_CONNECTOR_TAG,
  access: memberAccess('connector', 'create'),
  effect: readEffect(),
  body: jsonBody(PreviewConnectorRequest, { maxBytes: MAX_DOCUMENT_BODY_BYTES }),
  reply: jsonReply(ConnectorPreview),
  async run({ caller }, { body: { openapi, server = null } }) {
    const { document } = await readConnectorSource(caller.workspaceId, openapi, { selection: 'none', server });
    return toConnectorPreview(document);
  },
});

const createConnectorOperation = defineOperation({
  id: 'connectors.create',
  method: 'POST',
  path: '/api/connectors',
  summary: 'Create a connector from an OpenAPI document',
  description:
    'The connector belongs to the workspace: its operations can be used in workflows like those of other connectors. A ' +
    'document has at most 5 MiB, a connector at most 1,000 operations; choose them with `operations`. References to other ' +
    'documents are not followed.',
  tag: CUSTOM_CONNECTOR_TAG,
  access: memberAccess('connector', 'create'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(CreateConnectorRequest, { maxBytes: MAX_DOCUMENT_BODY_BYTES }),
  reply: jsonReply(ConnectorDetails, {
    status: 201,
    location: '/api/connectors/{id}',
    headers: ({ source }) => (source ? versionEtagHeader({ version: source.version }) : {}),
  }),
  async run(call, { body: { openapi, operations, server = null, name } }) {
    const { caller, note } = call;
    const { workspaceId, userId } = caller;
    const { document, url, hash } = await readConnectorSource(workspaceId, openapi, {
      selection: operations ?? 'all',
      server,
    });
    const id = generateId('conn');
    const title = name ?? (document.title || new URL(document.frame.server).host);
    note({
      resourceId: id,
      metadata: { name: title, server: document.frame.server, operations: document.operations.length },
    });
    return writeWithAuditEntry(call, async (db) => {
      const { tier } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { tier: true } });
      await requireObjectQuota(db, { workspaceId, tier: tier as WorkspaceTier }, 'connectors');
      const row = await db.connector.create({
        data: {
          id,
          workspaceId,
          name: title,
          description: document.description,
          frame: toConnectorJson(document.frame),
          sourceUrl: url,
          sourceHash: hash,
          documentVersion: document.version,
          selection: operations ?? Prisma.DbNull,
          createdBy: userId,
        },
      });
      const all = document.operations.map((one) => ({ record: one, isRemoved: false }));
      await db.connectorOperation.createMany({ data: toOperationRows(id, all) });
      return readConnectorDetails(db, caller, row);
    });
  },
});

type ConnectorUpdateBody = z.output<typeof UpdateConnectorRequest>;

/** Reads the document of an update. Returns undefined if the update concerns no document. `row` is the state before the document is read. */
async function readUpdateSource(
  { workspaceId }: WorkspaceCaller,
  row: Row,
  { openapi, refresh, operations, server }: Omit<ConnectorUpdateBody, 'name' | 'version'>,
): Promise<(ReadDocumentSource & { selection: string[] | null }) | undefined> {
  const isAbout = openapi !== undefined || refresh === true || operations !== undefined || server !== undefined;
  if (!isAbout) return undefined;
  const address = openapi ?? row.sourceUrl;
  if (address === null)
    throw invalidFieldProblem('openapi', 'is required: the document of this connector was sent, and is not stored');
  const frame = row.frame as unknown as ApiConnection;
  const selection = operations === undefined ? (row.selection as string[] | null) : operations;
  const source = await readConnectorSource(workspaceId, address, {
    selection: selection ?? 'all',
    isLenient: operations === undefined,
    server: server ?? (frame.isServerChosen ? frame.server : null),
  });
  return { ...source, selection };
}

const compareDocumentOperation = defineOperation({
  id: 'connectors.compare',
  method: 'POST',
  path: '/api/connectors/{id}/compare',
  summary: 'Compare a connector with a document',
  description: 'What an update with the same fields would change. Nothing is stored.',
  tag: CUSTOM_CONNECTOR_TAG,
  access: memberAccess('connector', 'update'),
  effect: readEffect(),
  params: CustomConnectorParams,
  body: jsonBody(CompareConnectorRequest, { maxBytes: MAX_DOCUMENT_BODY_BYTES }),
  reply: jsonReply(ConnectorComparison),
  async run({ db, caller }, { params: { id }, body }) {
    const row = await requireCustomConnector(db, caller.workspaceId, id);
    const source = await readUpdateSource(caller, row, { ...body, refresh: true });
    if (!source) throw invalidFieldProblem('openapi', 'is required');
    const { changes, uses } = await compareWithDocument(db, row, source);
    const list = async (operations: ApiOperation[]) =>
      Promise.all(
        operations.map(async (one) => {
          const { isDeprecated: _, ...summary } = toOfferedOperation({ ...one, isDeprecated: false });
          const ids = [...uses].filter(([, used]) => used.has(one.id)).map(([workflowId]) => workflowId);
          const use = ids.length === 0 ? { usedBy: [], otherUses: 0 } : await visibleConnectorUses(db, caller, ids);
          return { ...summary, ...use };
        }),
      );
    const before = row.frame as unknown as ApiConnection;
    return {
      preview: toConnectorPreview(source.document),
      added: await list(changes.added),
      changed: await list(changes.changed),
      removed: await list(changes.removed),
      serverBefore: before.server,
      losesSecrets: changeLosesSecrets(before, changes.frame),
    };
  },
});

/** Compares a connector with a document, and finds the workflows that use its operations. */
async function compareWithDocument(db: DatabaseClient, row: Row, { document }: ReadDocumentSource) {
  const rows = await db.connectorOperation.findMany({ where: { connectorId: row.id }, orderBy: { position: 'asc' } });
  const uses = await findConnectorUses(db, row.workspaceId, row.id);
  const used = new Set([...uses.values()].flatMap((one) => [...one]));
  return { changes: diffConnectorOperations(rows, row.frame as unknown as ApiConnection, document, used), uses };
}

const updateConnectorOperation = defineOperation({
  id: 'connectors.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/connectors/{id}',
  summary: 'Update a connector from its document',
  description:
    'Operations keep their ids. One that workflows use and that the document lacks is kept and marked `isRemoved`. When ' +
    'servers or authentication change, the credentials of the connector lose their secrets and must be entered again.',
  tag: CUSTOM_CONNECTOR_TAG,
  access: memberAccess('connector', 'update'),
  effect: submitEffect('configuration_change'),
  params: CustomConnectorParams,
  body: jsonBody(UpdateConnectorRequest, { maxBytes: MAX_DOCUMENT_BODY_BYTES }),
  reply: jsonReply(ConnectorDetails, {
    headers: ({ source }) => (source ? versionEtagHeader({ version: source.version }) : {}),
  }),
  async run(call, { params: { id }, body: { name, version, ...about } }) {
    const { caller, headers, note } = call;
    note({ resourceId: id });
    const expected = readExpectedVersion(headers, version);
    const seen = await requireCustomConnector(call.db, caller.workspaceId, id);
    if (expected !== undefined && expected !== seen.version)
      throw conflictProblem('The connector was changed meanwhile.');
    const source = await readUpdateSource(caller, seen, about);
    return writeWithAuditEntry(call, async (db) => {
      await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} FOR UPDATE`;
      const row = await requireCustomConnector(db, caller.workspaceId, id);
      if (row.version !== seen.version) throw conflictProblem('The connector was changed meanwhile.');
      if (name === undefined && !source) return readConnectorDetails(db, caller, row);
      const changed = await db.connector.update({
        where: { id },
        data: {
          ...(name === undefined ? {} : { name }),
          ...(source ? await storeConnectorDocument(db, row, source, note) : {}),
          version: row.version + 1,
          updatedAt: new Date(),
        },
      });
      note({ metadata: { name: changed.name } });
      return readConnectorDetails(db, caller, changed);
    });
  },
});

/** Stores the operations of a document. Returns the new values of the connector. */
async function storeConnectorDocument(
  db: DatabaseClient,
  row: Row,
  source: ReadDocumentSource & { selection: string[] | null },
  note: SignedInCall['note'],
): Promise<Prisma.ConnectorUpdateInput> {
  const { changes } = await compareWithDocument(db, row, source);
  const { frame, operations, added, changed, removed } = changes;
  await db.connectorOperation.deleteMany({ where: { connectorId: row.id } });
  await db.connectorOperation.createMany({ data: toOperationRows(row.id, operations) });
  const isMoved = changeLosesSecrets(row.frame as unknown as ApiConnection, frame);
  const disconnected = isMoved ? await removeConnectorSecrets(db, row.workspaceId, row.id) : 0;
  const numbers = { added: added.length, changed: changed.length, removed: removed.length };
  note({ metadata: { server: frame.server, ...numbers, disconnected } });
  return {
    frame: toConnectorJson(frame),
    sourceUrl: source.url,
    sourceHash: source.hash,
    documentVersion: source.document.version,
    description: source.document.description,
    selection: source.selection ?? Prisma.DbNull,
  };
}

const deleteConnectorOperation = defineOperation({
  id: 'connectors.delete',
  method: 'DELETE',
  path: '/api/connectors/{id}',
  summary: 'Delete a connector of the workspace',
  description:
    'Its credentials and app registration are deleted, too: nothing else can use them. Workflows that use the connector ' +
    'fail at the nodes that need it.',
  tag: CUSTOM_CONNECTOR_TAG,
  access: memberAccess('connector', 'delete'),
  effect: writeEffect('configuration_change'),
  params: CustomConnectorParams,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    note({ resourceId: id });
    await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} FOR UPDATE`;
    const { name } = await requireCustomConnector(db, workspaceId, id);
    await removeConnectorSecrets(db, workspaceId, id);
    const { count } = await db.credential.deleteMany({ where: { workspaceId, connectorId: id } });
    await db.connector.delete({ where: { id } });
    note({ metadata: { name, credentials: count } });
  },
});

export const customConnectorOperations = [
  previewDocumentOperation,
  createConnectorOperation,
  compareDocumentOperation,
  updateConnectorOperation,
  deleteConnectorOperation,
];
