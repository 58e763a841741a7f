import { z } from 'zod';
import {
  ConnectorComparison,
  ConnectorCompareRequest,
  ConnectorCreate,
  ConnectorDetails,
  ConnectorPreview,
  ConnectorPreviewRequest,
  ConnectorUpdate,
} from '@/contract/connectors/custom-connector';
import type { Tier } from '@/contract/tier';
import { Prisma, type Connector as Row } from '@/generated/prisma/client';
import type { Caller } from '@/server/access/caller';
import { memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import { record } from '@/server/audit/record';
import { losesSecrets, removeSecrets } from '@/server/connectors/custom/secrets';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { transaction } from '@/server/db/transaction';
import { conflict, invalidField } from '@/server/errors/problem';
import type { ApiFrame, ApiOperation } from '@/server/openapi/record';
import { requireQuota } from '@/server/quotas/quota';
import { changesOf, type Changes } from './changes';
import { detailsOf, stored } from './details';
import { MAX_BODY, readSource, type Source } from './document';
import { presentPreview, presentSummary } from './present';
import { presentUses, usesOf } from './uses';

const tag = 'Connectors';
const Id = z.strictObject({ id: z.string() });

const json = (value: object) => value as Prisma.InputJsonObject;

const rowsOf = (connectorId: string, operations: Changes['operations']) =>
  operations.map(({ record: one, isRemoved }, position) => ({
    connectorId,
    operation: one.id,
    position,
    title: one.title,
    help: one.help,
    grouping: one.group,
    isRemoved,
    record: json(one),
  }));

/** Runs a change in the transaction of the call, or in one of its own, with the audit entry. */
const writing = async <T>(call: SignedInCall, write: (db: Db) => Promise<T>): Promise<T> => {
  const audited = async (db: Db) => {
    const result = await write(db);
    await record(db, [call.auditEntry()]);
    return result;
  };
  return call.inTransaction ? audited(call.db) : transaction(true, audited);
};

const preview = operation({
  id: 'connectors.preview',
  method: 'POST',
  path: '/api/connectors/preview',
  summary: 'Look at an OpenAPI document',
  description: 'What a connector from this document would have. Nothing is stored.',
  tag,
  access: memberAccess('connector', 'create'),
  effect: readEffect(),
  body: jsonBody(ConnectorPreviewRequest, { maxBytes: MAX_BODY }),
  reply: jsonReply(ConnectorPreview),
  async run({ caller }, { body: { openapi, server = null } }) {
    const { document } = await readSource(caller.workspaceId, openapi, { selection: 'none', server });
    return presentPreview(document);
  },
});

const create = operation({
  id: 'connectors.create',
  method: 'POST',
  path: '/api/connectors',
  summary: 'Create a connector from an OpenAPI document',
  description:
    'The connector belongs to the workspace: its operations can be used in workflows like those of other connectors. A ' +
    'document has at most 5 MiB, a connector at most 1,000 operations; choose them with `operations`. References to other ' +
    'documents are not followed.',
  tag,
  access: memberAccess('connector', 'create'),
  effect: submitEffect('configuration_change'),
  body: jsonBody(ConnectorCreate, { maxBytes: MAX_BODY }),
  reply: jsonReply(ConnectorDetails, {
    status: 201,
    location: '/api/connectors/{id}',
    headers: ({ source }) => (source ? etag({ version: source.version }) : {}),
  }),
  async run(call, { body: { openapi, operations, server = null, name } }) {
    const { caller, note } = call;
    const { workspaceId, userId } = caller;
    const { document, url, hash } = await readSource(workspaceId, openapi, { selection: operations ?? 'all', server });
    const id = newId('conn');
    const title = name ?? (document.title || new URL(document.frame.server).host);
    note({
      resourceId: id,
      metadata: { name: title, server: document.frame.server, operations: document.operations.length },
    });
    return writing(call, async (db) => {
      const { tier } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { tier: true } });
      await requireQuota(db, { workspaceId, tier: tier as Tier }, 'connectors');
      const row = await db.connector.create({
        data: {
          id,
          workspaceId,
          name: title,
          description: document.description,
          frame: json(document.frame),
          sourceUrl: url,
          sourceHash: hash,
          documentVersion: document.version,
          selection: operations ?? Prisma.DbNull,
          createdBy: userId,
        },
      });
      const all = document.operations.map((one) => ({ record: one, isRemoved: false }));
      await db.connectorOperation.createMany({ data: rowsOf(id, all) });
      return detailsOf(db, caller, row);
    });
  },
});

type Update = z.output<typeof ConnectorUpdate>;

/** The document of an update; undefined: it changes other things only. `row`: as it was before the document is read. */
async function sourceOf(
  { workspaceId }: Caller,
  row: Row,
  { openapi, refresh, operations, server }: Omit<Update, 'name' | 'version'>,
): Promise<(Source & { selection: string[] | null }) | undefined> {
  const isAbout = openapi !== undefined || refresh === true || operations !== undefined || server !== undefined;
  if (!isAbout) return undefined;
  const address = openapi ?? row.sourceUrl;
  if (address === null)
    throw invalidField('openapi', 'is required: the document of this connector was sent, and is not stored');
  const frame = row.frame as unknown as ApiFrame;
  const selection = operations === undefined ? (row.selection as string[] | null) : operations;
  const source = await readSource(workspaceId, address, {
    selection: selection ?? 'all',
    isLenient: operations === undefined,
    server: server ?? (frame.isServerChosen ? frame.server : null),
  });
  return { ...source, selection };
}

const compare = operation({
  id: 'connectors.compare',
  method: 'POST',
  path: '/api/connectors/{id}/compare',
  summary: 'Compare a connector with a document',
  description: 'What an update with the same fields would change. Nothing is stored.',
  tag,
  access: memberAccess('connector', 'update'),
  effect: readEffect(),
  params: Id,
  body: jsonBody(ConnectorCompareRequest, { maxBytes: MAX_BODY }),
  reply: jsonReply(ConnectorComparison),
  async run({ db, caller }, { params: { id }, body }) {
    const row = await stored(db, caller.workspaceId, id);
    const source = await sourceOf(caller, row, { ...body, refresh: true });
    if (!source) throw invalidField('openapi', 'is required');
    const { changes, uses } = await comparisonOf(db, row, source);
    const list = async (operations: ApiOperation[]) =>
      Promise.all(
        operations.map(async (one) => {
          const { isDeprecated: _, ...summary } = presentSummary({ ...one, isDeprecated: false });
          const ids = [...uses].filter(([, used]) => used.has(one.id)).map(([workflowId]) => workflowId);
          const use = ids.length === 0 ? { usedBy: [], otherUses: 0 } : await presentUses(db, caller, ids);
          return { ...summary, ...use };
        }),
      );
    const before = row.frame as unknown as ApiFrame;
    return {
      preview: presentPreview(source.document),
      added: await list(changes.added),
      changed: await list(changes.changed),
      removed: await list(changes.removed),
      serverBefore: before.server,
      losesSecrets: losesSecrets(before, changes.frame),
    };
  },
});

/** What a document changes, and which workflows use which operations. */
async function comparisonOf(db: Db, row: Row, { document }: Source) {
  const rows = await db.connectorOperation.findMany({ where: { connectorId: row.id }, orderBy: { position: 'asc' } });
  const uses = await usesOf(db, row.workspaceId, row.id);
  const used = new Set([...uses.values()].flatMap((one) => [...one]));
  return { changes: changesOf(rows, row.frame as unknown as ApiFrame, document, used), uses };
}

const update = operation({
  id: 'connectors.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/connectors/{id}',
  summary: 'Update a connector from its document',
  description:
    'Operations keep their ids. One that workflows use and that the document lacks is kept and marked `isRemoved`. When ' +
    'servers or authentication change, the credentials of the connector lose their secrets and must be entered again.',
  tag,
  access: memberAccess('connector', 'update'),
  effect: submitEffect('configuration_change'),
  params: Id,
  body: jsonBody(ConnectorUpdate, { maxBytes: MAX_BODY }),
  reply: jsonReply(ConnectorDetails, { headers: ({ source }) => (source ? etag({ version: source.version }) : {}) }),
  async run(call, { params: { id }, body: { name, version, ...about } }) {
    const { caller, headers, note } = call;
    note({ resourceId: id });
    const expected = expectedVersion(headers, version);
    const seen = await stored(call.db, caller.workspaceId, id);
    if (expected !== undefined && expected !== seen.version) throw conflict('The connector was changed meanwhile.');
    const source = await sourceOf(caller, seen, about);
    return writing(call, async (db) => {
      await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} FOR UPDATE`;
      const row = await stored(db, caller.workspaceId, id);
      if (row.version !== seen.version) throw conflict('The connector was changed meanwhile.');
      if (name === undefined && !source) return detailsOf(db, caller, row);
      const changed = await db.connector.update({
        where: { id },
        data: {
          ...(name === undefined ? {} : { name }),
          ...(source ? await applied(db, row, source, note) : {}),
          version: row.version + 1,
          updatedAt: new Date(),
        },
      });
      note({ metadata: { name: changed.name } });
      return detailsOf(db, caller, changed);
    });
  },
});

/** Stores the operations of a document. Returns the new values of the connector. */
async function applied(
  db: Db,
  row: Row,
  source: Source & { selection: string[] | null },
  note: SignedInCall['note'],
): Promise<Prisma.ConnectorUpdateInput> {
  const { changes } = await comparisonOf(db, row, source);
  const { frame, operations, added, changed, removed } = changes;
  await db.connectorOperation.deleteMany({ where: { connectorId: row.id } });
  await db.connectorOperation.createMany({ data: rowsOf(row.id, operations) });
  const isMoved = losesSecrets(row.frame as unknown as ApiFrame, frame);
  const disconnected = isMoved ? await removeSecrets(db, row.workspaceId, row.id) : 0;
  const numbers = { added: added.length, changed: changed.length, removed: removed.length };
  note({ metadata: { server: frame.server, ...numbers, disconnected } });
  return {
    frame: json(frame),
    sourceUrl: source.url,
    sourceHash: source.hash,
    documentVersion: source.document.version,
    description: source.document.description,
    selection: source.selection ?? Prisma.DbNull,
  };
}

const remove = operation({
  id: 'connectors.delete',
  method: 'DELETE',
  path: '/api/connectors/{id}',
  summary: 'Delete a connector of the workspace',
  description:
    'Its credentials and app registration are deleted, too: nothing else can use them. Workflows that use the connector ' +
    'fail at the nodes that need it.',
  tag,
  access: memberAccess('connector', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    note({ resourceId: id });
    await db.$queryRaw`SELECT id FROM connector WHERE id = ${id} FOR UPDATE`;
    const { name } = await stored(db, workspaceId, id);
    await removeSecrets(db, workspaceId, id);
    const { count } = await db.credential.deleteMany({ where: { workspaceId, connectorId: id } });
    await db.connector.delete({ where: { id } });
    note({ metadata: { name, credentials: count } });
  },
});

export const customConnectors = [preview, create, compare, update, remove];
