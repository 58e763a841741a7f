import { z } from 'zod';
import { Table, type TableColumn, TableCreate, TablePage, TableUpdate } from '@/contract/tables/table';
import { PageQuery } from '@/contract/text';
import type { Tier } from '@/contract/tier';
import { visibleTo } from '@/server/access/filter';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation-parts';
import { record } from '@/server/audit/record';
import { notFound } from '@/server/errors/problem';
import { requireQuota } from '@/server/quotas/quota';
import { changeTable } from '@/server/tables/change';
import { createTable, type SchemaChange } from '@/server/tables/schema';
import { sqlOfPrisma } from '@/server/tables/sql';
import { findTable, type DataTable } from '@/server/tables/table';
import { rowCounts } from '@/server/tables/tally';

const tag = 'Tables';
const Id = z.strictObject({ id: z.string() });

const presentTable = (
  {
    id,
    name,
    columns,
    createdAt,
    updatedAt,
    createdBy,
  }: Pick<DataTable, 'id' | 'name' | 'columns' | 'createdAt' | 'updatedAt' | 'createdBy'>,
  counts: ReadonlyMap<string, number>,
): Table => ({
  id,
  name,
  columns,
  rows: counts.get(id) ?? 0,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdBy,
});

/** What an audit entry says about a change of columns. */
function changesOf({ added, removed, kept }: SchemaChange): Record<string, unknown> {
  const renamed = kept.filter(({ before, after }) => before.name !== after.name);
  const rules = kept.filter(
    ({ before, after }) => before.isRequired !== after.isRequired || before.isUnique !== after.isUnique,
  );
  return {
    added: added.map(({ name }) => name),
    removed: removed.map(({ name }) => name),
    renamed: renamed.map(({ before, after }) => `${before.name} → ${after.name}`),
    rules: rules.map(({ after }) => ({ name: after.name, isRequired: after.isRequired, isUnique: after.isUnique })),
  };
}

const list = operation({
  id: 'tables.list',
  method: 'GET',
  path: '/api/tables',
  summary: 'List tables',
  tag,
  description: 'Newest first: those that the caller may read.',
  access: memberAccess('table', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(TablePage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const where = { AND: [{ workspaceId: caller.workspaceId }, visibleTo(caller, 'table')] };
    const [tables, total] = await Promise.all([
      db.dataTable.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.dataTable.count({ where }),
    ]);
    const counts = await rowCounts(
      sqlOfPrisma(db),
      tables.map(({ id }) => id),
    );
    const data = tables.map((table) => presentTable({ ...table, columns: table.columns as TableColumn[] }, counts));
    return { data, total, limit, offset };
  },
});

const create = operation({
  id: 'tables.create',
  method: 'POST',
  path: '/api/tables',
  summary: 'Create a table',
  description:
    'Columns have the type `text`, `number`, `boolean`, `timestamp` or `json`. Every row also has `id`, `createdAt` and ' +
    '`updatedAt`. The first 16 columns are indexed; further indexes are built for columns that filters and sorts use.',
  tag,
  access: memberAccess('table', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(TableCreate),
  reply: jsonReply(Table, { status: 201, location: '/api/tables/{id}' }),
  async run({ db, caller: { workspaceId, userId }, note }, { body }) {
    const { tier } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { tier: true } });
    await requireQuota(db, { workspaceId, tier: tier as Tier }, 'tables');
    const table = await createTable(sqlOfPrisma(db), { ...body, workspaceId, createdBy: userId });
    note({ resourceId: table.id, metadata: { name: table.name, columns: table.columns.map(({ name }) => name) } });
    return presentTable(table, new Map());
  },
});

const get = operation({
  id: 'tables.get',
  method: 'GET',
  path: '/api/tables/{id}',
  summary: 'Read a table',
  tag,
  access: memberAccess('table', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Table),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const sql = sqlOfPrisma(db);
    return presentTable(await findTable(sql, workspaceId, id), await rowCounts(sql, [id]));
  },
});

const update = operation({
  id: 'tables.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/tables/{id}',
  summary: 'Change the name or the columns of a table',
  description:
    '`columns` are all columns from now on, in their order. With its `id` a column is renamed; one that is left out is ' +
    'removed with its values. A column becomes required or unique only if all rows permit it (else 409).',
  tag,
  access: memberAccess('table', 'update'),
  // An index that makes a column unique is built outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: Id,
  body: jsonBody(TableUpdate),
  reply: jsonReply(Table),
  async run({ db, caller: { workspaceId }, note, auditEntry }, { params: { id }, body }) {
    note({ resourceId: id });
    const table = await changeTable({ workspaceId, id }, body, async (inTransaction, change) => {
      note({
        metadata: { ...(body.name === undefined ? {} : { name: body.name }), ...(change ? changesOf(change) : {}) },
      });
      await record(inTransaction, [auditEntry()]);
    });
    return presentTable(table, await rowCounts(sqlOfPrisma(db), [id]));
  },
});

const remove = operation({
  id: 'tables.delete',
  method: 'DELETE',
  path: '/api/tables/{id}',
  summary: 'Delete a table with its rows',
  description: 'Nodes that use it then fail.',
  tag,
  access: memberAccess('table', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    note({ resourceId: id });
    const where = { id, workspaceId };
    const row = await db.dataTable.findFirst({ where, select: { name: true } });
    if (row) note({ metadata: row });
    const { count } = await db.dataTable.deleteMany({ where });
    if (count === 0) throw notFound('The table');
  },
});

export const tables = [list, create, get, update, remove];

export { create as createTable, update as updateTable };
