import { z } from 'zod';
import { PageQuery } from '@/contract/text';
import {
  Variable,
  VariableCreate,
  VariablePage,
  VariableUpdate,
  VariableWithUses,
} from '@/contract/workflows/variable';
import { VARIABLE_NAME } from '@/contract/workflows/variable-names';
import { Prisma, type Variable as Row } from '@/generated/prisma/client';
import type { Caller } from '@/server/access/caller';
import { visibleTo } from '@/server/access/filter';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';
import { addJsonColumns } from '../json-columns';
import { announceReferenceData } from '../reference-data';

const tag = 'Variables';
const Name = z.strictObject({ name: z.string() });

const presentVariable = ({ name, value, createdAt, updatedAt, createdBy }: Row): Variable => ({
  name,
  value,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  createdBy,
});

/** Variables of a workspace for an answer: their values are texts. */
async function presentStored(db: Db, workspaceId: string, rows: readonly Omit<Row, 'value'>[]): Promise<Variable[]> {
  const stored = await addJsonColumns(db, rows, {
    table: 'variable',
    columns: { value: 'value' },
    key: 'name',
    keyOfRow: ({ name }) => name,
    within: Prisma.sql`workspace_id = ${workspaceId}`,
  });
  return stored.map(presentVariable);
}

/** PostgreSQL's `json` holds every value, JSON's null included. */
const toJson = (value: unknown) => (value === null ? Prisma.JsonNull : (value as Prisma.InputJsonValue));

async function find(db: Db, workspaceId: string, name: string): Promise<Row> {
  if (!VARIABLE_NAME.test(name)) throw notFound('The variable');
  const row = await db.variable.findUnique({ where: { workspaceId_name: { workspaceId, name } } });
  if (!row) throw notFound('The variable');
  return row;
}

/** The workflows whose latest version names a variable, of those that the caller may read. */
async function usesOf(db: Db, caller: Caller, name: string): Promise<{ id: string; name: string }[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workflow WHERE workspace_id = ${caller.workspaceId} AND definition::text ~ ${`\\mvars\\W{1,10}${name}\\M`}
    ORDER BY created_at DESC LIMIT 100`;
  return db.workflow.findMany({
    where: { AND: [{ id: { in: rows.map(({ id }) => id) } }, visibleTo(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
}

const list = operation({
  id: 'variables.list',
  method: 'GET',
  path: '/api/variables',
  summary: 'List variables',
  tag,
  access: memberAccess('variable', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(VariablePage),
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

const create = operation({
  id: 'variables.create',
  method: 'POST',
  path: '/api/variables',
  summary: 'Create a variable',
  description:
    'Every workflow of the workspace reads it as `vars.NAME`, from the next node on. Variables are not secret: their values appear in ' +
    'results of runs. Secrets belong in credentials.',
  tag,
  access: memberAccess('variable', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(VariableCreate),
  reply: jsonReply(Variable, { status: 201, location: '/api/variables/{name}', resource: VariableWithUses }),
  async run({ db, caller: { workspaceId, userId }, note, afterwards }, { body: { name, value } }) {
    note({ resourceId: name });
    // Takes a lock, so that two creations of one name follow each other.
    await requireBelowCap(db, 'variables', workspaceId);
    if (await db.variable.findUnique({ where: { workspaceId_name: { workspaceId, name } } }))
      throw conflict('There is a variable with this name already.');
    const row = await db.variable.create({ data: { workspaceId, name, value: toJson(value), createdBy: userId } });
    await announceReferenceData(db, workspaceId, afterwards);
    return presentVariable(row);
  },
});

const get = operation({
  id: 'variables.get',
  method: 'GET',
  path: '/api/variables/{name}',
  summary: 'Read a variable',
  tag,
  access: memberAccess('variable', 'read'),
  effect: readEffect(),
  params: Name,
  reply: jsonReply(VariableWithUses),
  async run({ db, caller }, { params: { name } }) {
    const row = await find(db, caller.workspaceId, name);
    return { ...presentVariable(row), usedBy: await usesOf(db, caller, row.name) };
  },
});

const update = operation({
  id: 'variables.update',
  method: 'PUT',
  path: '/api/variables/{name}',
  summary: 'Change a variable',
  description: 'Nodes that start after the answer read the new value, in runs under way as well.',
  tag,
  access: memberAccess('variable', 'update'),
  effect: writeEffect('configuration_change'),
  params: Name,
  body: jsonBody(VariableUpdate),
  reply: jsonReply(Variable, { resource: VariableWithUses }),
  async run({ db, caller: { workspaceId }, note, afterwards }, { params: { name }, body }) {
    note({ resourceId: name });
    await find(db, workspaceId, name);
    if (body.name !== undefined && body.name !== name)
      throw invalidField('name', 'can’t be changed: create another variable');
    const where = { workspaceId_name: { workspaceId, name } };
    const row = await db.variable.update({ where, data: { value: toJson(body.value), updatedAt: new Date() } });
    await announceReferenceData(db, workspaceId, afterwards);
    return presentVariable(row);
  },
});

const remove = operation({
  id: 'variables.delete',
  method: 'DELETE',
  path: '/api/variables/{name}',
  summary: 'Delete a variable',
  description: 'Expressions that name it then get nothing, as for any unknown path.',
  tag,
  access: memberAccess('variable', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Name,
  async run({ db, caller: { workspaceId }, note, afterwards }, { params: { name } }) {
    note({ resourceId: name });
    await find(db, workspaceId, name);
    await db.variable.delete({ where: { workspaceId_name: { workspaceId, name } } });
    await announceReferenceData(db, workspaceId, afterwards);
  },
});

export const variables = [list, create, get, update, remove];

export { create as createVariable, update as updateVariable };
