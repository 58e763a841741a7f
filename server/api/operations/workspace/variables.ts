import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import {
  VariableResponse,
  CreateVariableRequest,
  ListVariablesResponse,
  UpdateVariableRequest,
  VariableWithUses,
} from '@/contract/workflows/variable';
import { VARIABLE_NAME_PATTERN } from '@/contract/workflows/variable-names';
import { Prisma, type Variable as Row } from '@/generated/prisma/client';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { addJsonColumns } from '../json-columns';
import { announceReferenceData } from '../reference-data';

const VARIABLE_TAG = 'Variables';
const VariableParams = z.strictObject({ name: z.string() });

const toVariableResponse = ({ name, value, createdAt, updatedAt, createdBy }: Row): VariableResponse => ({
  name,
  value,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdBy,
});

/** Variables of a workspace for an answer: their values are texts. */
async function presentStored(
  db: DatabaseClient,
  workspaceId: string,
  rows: readonly Omit<Row, 'value'>[],
): Promise<VariableResponse[]> {
  const stored = await addJsonColumns(db, rows, {
    table: 'variable',
    columns: { value: 'value' },
    key: 'name',
    keyOfRow: ({ name }) => name,
    within: Prisma.sql`workspace_id = ${workspaceId}`,
  });
  return stored.map(toVariableResponse);
}

/** PostgreSQL's `json` holds every value, JSON's null included. */
const toVariableJson = (value: unknown) => (value === null ? Prisma.JsonNull : (value as Prisma.InputJsonValue));

async function findVariableRow(db: DatabaseClient, workspaceId: string, name: string): Promise<Row> {
  if (!VARIABLE_NAME_PATTERN.test(name)) throw notFoundProblem('The variable');
  const row = await db.variable.findUnique({ where: { workspaceId_name: { workspaceId, name } } });
  if (!row) throw notFoundProblem('The variable');
  return row;
}

/** The workflows whose latest version names a variable, of those that the caller may read. */
async function findVariableUses(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  name: string,
): Promise<{ id: string; name: string }[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workflow WHERE workspace_id = ${caller.workspaceId} AND definition::text ~ ${`\\mvars\\W{1,10}${name}\\M`}
    ORDER BY created_at DESC LIMIT 100`;
  return db.workflow.findMany({
    where: { AND: [{ id: { in: rows.map(({ id }) => id) } }, visibleRowsFilter(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
}

const listVariablesOperation = defineOperation({
  id: 'variables.list',
  method: 'GET',
  path: '/api/variables',
  summary: 'List variables',
  tag: VARIABLE_TAG,
  access: memberAccess('variable', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListVariablesResponse),
  async run({ db, caller: { workspaceId } }, { query: { limit, offset } }) {
    const where = { workspaceId };
    const [rows, total] = await Promise.all([
      db.variable.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { name: 'asc' }],
        take: limit,
        skip: offset,
        omit: { value: true },
      }),
      db.variable.count({ where }),
    ]);
    return { data: await presentStored(db, workspaceId, rows), total, limit, offset };
  },
});

const createVariableOperation = defineOperation({
  id: 'variables.create',
  method: 'POST',
  path: '/api/variables',
  summary: 'Create a variable',
  description:
    'Every workflow of the workspace reads it as `vars.NAME`, from the next node on. Variables are not secret: their values appear in ' +
    'results of runs. Secrets belong in credentials.',
  tag: VARIABLE_TAG,
  access: memberAccess('variable', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateVariableRequest),
  reply: jsonReply(VariableResponse, { status: 201, location: '/api/variables/{name}', resource: VariableWithUses }),
  async run({ db, caller: { workspaceId, userId }, note, afterwards }, { body: { name, value } }) {
    note({ resourceId: name });
    // Takes a lock, so that two creations of one name follow each other.
    await requireBelowCap(db, 'variables', workspaceId);
    if (await db.variable.findUnique({ where: { workspaceId_name: { workspaceId, name } } }))
      throw conflictProblem('There is a variable with this name already.');
    const row = await db.variable.create({
      data: { workspaceId, name, value: toVariableJson(value), createdBy: userId },
    });
    await announceReferenceData(db, workspaceId, afterwards);
    return toVariableResponse(row);
  },
});

const getVariableOperation = defineOperation({
  id: 'variables.get',
  method: 'GET',
  path: '/api/variables/{name}',
  summary: 'Read a variable',
  tag: VARIABLE_TAG,
  access: memberAccess('variable', 'read'),
  effect: readEffect(),
  params: VariableParams,
  reply: jsonReply(VariableWithUses),
  async run({ db, caller }, { params: { name } }) {
    const row = await findVariableRow(db, caller.workspaceId, name);
    return { ...toVariableResponse(row), usedBy: await findVariableUses(db, caller, row.name) };
  },
});

const updateVariableOperation = defineOperation({
  id: 'variables.update',
  method: 'PUT',
  path: '/api/variables/{name}',
  summary: 'Change a variable',
  description: 'Nodes that start after the answer read the new value, in runs under way as well.',
  tag: VARIABLE_TAG,
  access: memberAccess('variable', 'update'),
  effect: writeEffect('configuration_change'),
  params: VariableParams,
  body: jsonBody(UpdateVariableRequest),
  reply: jsonReply(VariableResponse, { resource: VariableWithUses }),
  async run({ db, caller: { workspaceId }, note, afterwards }, { params: { name }, body }) {
    note({ resourceId: name });
    await findVariableRow(db, workspaceId, name);
    if (body.name !== undefined && body.name !== name)
      throw invalidFieldProblem('name', 'can’t be changed: create another variable');
    const where = { workspaceId_name: { workspaceId, name } };
    const row = await db.variable.update({ where, data: { value: toVariableJson(body.value), updatedAt: new Date() } });
    await announceReferenceData(db, workspaceId, afterwards);
    return toVariableResponse(row);
  },
});

const deleteVariableOperation = defineOperation({
  id: 'variables.delete',
  method: 'DELETE',
  path: '/api/variables/{name}',
  summary: 'Delete a variable',
  description: 'Expressions that name it then get nothing, as for any unknown path.',
  tag: VARIABLE_TAG,
  access: memberAccess('variable', 'delete'),
  effect: writeEffect('configuration_change'),
  params: VariableParams,
  async run({ db, caller: { workspaceId }, note, afterwards }, { params: { name } }) {
    note({ resourceId: name });
    await findVariableRow(db, workspaceId, name);
    await db.variable.delete({ where: { workspaceId_name: { workspaceId, name } } });
    await announceReferenceData(db, workspaceId, afterwards);
  },
});

export const variableOperations = [
  listVariablesOperation,
  createVariableOperation,
  getVariableOperation,
  updateVariableOperation,
  deleteVariableOperation,
];

export { createVariableOperation, updateVariableOperation };
