import { z } from 'zod';
import {
  TableResponse,
  type TableColumn,
  CreateTableRequest,
  ListTablesQuery,
  ListTablesResponse,
  UpdateTableRequest,
} from '@/contract/tables/table';
import type { WorkspaceTier } from '@/contract/tier';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, submitEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { appendAuditEntries } from '@/server/people/audit/record';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { requireObjectQuota } from '@/server/platform/quotas/quota';
import { changeTable } from '@/server/data/tables/change';
import { createDataTable, type TableSchemaChange } from '@/server/data/tables/schema';
import { createPrismaSql } from '@/server/data/tables/sql';
import { findDataTable, type DataTableRecord } from '@/server/data/tables/table';
import { countRowsByTable } from '@/server/data/tables/tally';
import { readSortedPage } from '../sorted-page';

const TABLE_TAG = 'Tables';
const TableParams = z.strictObject({ id: z.string() });

const toTableResponse = (
  {
    id,
    name,
    columns,
    createdAt,
    updatedAt,
    createdBy,
  }: Pick<DataTableRecord, 'id' | 'name' | 'columns' | 'createdAt' | 'updatedAt' | 'createdBy'>,
  counts: ReadonlyMap<string, number>,
): TableResponse => ({
  id,
  name,
  columns,
  rows: counts.get(id) ?? 0,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdBy,
});

/** What an audit entry says about a change of columns. */
function describeSchemaChange({ added, removed, kept }: TableSchemaChange): Record<string, unknown> {
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

const listTablesOperation = defineOperation({
  id: 'tables.list',
  method: 'GET',
  path: '/api/tables',
  summary: 'List tables',
  tag: TABLE_TAG,
  description: 'Those that the caller may read, newest first unless `sort` says otherwise.',
  access: memberAccess('table', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: ListTablesQuery,
  reply: jsonReply(ListTablesResponse),
  async run({ db, caller }, { query: { limit, offset, sort } }) {
    const where = { AND: [{ workspaceId: caller.workspaceId }, visibleRowsFilter(caller, 'table')] };
    const [tables, total] = await Promise.all([
      readSortedPage(
        db,
        { table: 'data_table', sort, limit, offset },
        {
          listIds: () => db.dataTable.findMany({ where, select: { id: true } }),
          readByTime: (order) => db.dataTable.findMany({ where, ...order }),
          readByIds: (ids) => db.dataTable.findMany({ where: { id: { in: ids } } }),
        },
      ),
      db.dataTable.count({ where }),
    ]);
    const counts = await countRowsByTable(
      createPrismaSql(db),
      tables.map(({ id }) => id),
    );
    const data = tables.map((table) => toTableResponse({ ...table, columns: table.columns as TableColumn[] }, counts));
    return { data, total, limit, offset };
  },
});

const createTableOperation = defineOperation({
  id: 'tables.create',
  method: 'POST',
  path: '/api/tables',
  summary: 'Create a table',
  description:
    'Columns have the type `text`, `number`, `boolean`, `timestamp` or `json`. Every row also has `id`, `createdAt` and ' +
    '`updatedAt`. The first 16 columns are indexed; further indexes are built for columns that filters and sorts use.',
  tag: TABLE_TAG,
  access: memberAccess('table', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateTableRequest),
  reply: jsonReply(TableResponse, { status: 201, location: '/api/tables/{id}' }),
  async run({ db, caller: { workspaceId, userId }, note }, { body }) {
    const { tier } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { tier: true } });
    await requireObjectQuota(db, { workspaceId, tier: tier as WorkspaceTier }, 'tables');
    const table = await createDataTable(createPrismaSql(db), { ...body, workspaceId, createdBy: userId });
    note({ resourceId: table.id, metadata: { name: table.name, columns: table.columns.map(({ name }) => name) } });
    return toTableResponse(table, new Map());
  },
});

const getTableOperation = defineOperation({
  id: 'tables.get',
  method: 'GET',
  path: '/api/tables/{id}',
  summary: 'Read a table',
  tag: TABLE_TAG,
  access: memberAccess('table', 'read'),
  effect: readEffect(),
  params: TableParams,
  reply: jsonReply(TableResponse),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const sql = createPrismaSql(db);
    return toTableResponse(await findDataTable(sql, workspaceId, id), await countRowsByTable(sql, [id]));
  },
});

const updateTableOperation = defineOperation({
  id: 'tables.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/tables/{id}',
  summary: 'Change the name or the columns of a table',
  description:
    '`columns` are all columns from now on, in their order. With its `id` a column is renamed; one that is left out is ' +
    'removed with its values. A column becomes required or unique only if all rows permit it (else 409).',
  tag: TABLE_TAG,
  access: memberAccess('table', 'update'),
  // An index that makes a column unique is built outside of a transaction.
  effect: submitEffect('configuration_change'),
  params: TableParams,
  body: jsonBody(UpdateTableRequest),
  reply: jsonReply(TableResponse),
  async run({ db, caller: { workspaceId }, note, auditEntry }, { params: { id }, body }) {
    note({ resourceId: id });
    const table = await changeTable({ workspaceId, id }, body, async (inTransaction, change) => {
      note({
        metadata: {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(change ? describeSchemaChange(change) : {}),
        },
      });
      await appendAuditEntries(inTransaction, [auditEntry()]);
    });
    return toTableResponse(table, await countRowsByTable(createPrismaSql(db), [id]));
  },
});

const deleteTableOperation = defineOperation({
  id: 'tables.delete',
  method: 'DELETE',
  path: '/api/tables/{id}',
  summary: 'Delete a table with its rows',
  description: 'Nodes that use it then fail.',
  tag: TABLE_TAG,
  access: memberAccess('table', 'delete'),
  effect: writeEffect('configuration_change'),
  params: TableParams,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    note({ resourceId: id });
    const where = { id, workspaceId };
    const row = await db.dataTable.findFirst({ where, select: { name: true } });
    if (row) note({ metadata: row });
    const { count } = await db.dataTable.deleteMany({ where });
    if (count === 0) throw notFoundProblem('The table');
  },
});

export const tableOperations = [
  listTablesOperation,
  createTableOperation,
  getTableOperation,
  updateTableOperation,
  deleteTableOperation,
];

export { createTableOperation, updateTableOperation };
