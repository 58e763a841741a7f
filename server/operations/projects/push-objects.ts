import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type CredentialType, CredentialCreate, secretNames } from '@/contract/credentials/credential';
import type { ProjectCredential, ProjectTable } from '@/contract/projects/project';
import { type TableColumn, TableUpdate } from '@/contract/tables/table';
import type { Variable } from '@/generated/prisma/client';
import { requirePermission } from '@/server/access/require';
import { operation } from '@/server/api/operation';
import { jsonBody, jsonReply, writeEffect } from '@/server/api/operation-parts';
import { schemaOf, type CredentialKind } from '@/server/connectors/config';
import { isCustomId } from '@/server/connectors/custom/connector';
import { findConnector, isOfConnector } from '@/server/connectors/lookup';
import { sealSecrets } from '@/server/connectors/secrets';
import { newId } from '@/server/db/ids';
import { conflict, invalid } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { requireBelowCap } from '@/server/quotas/caps';
import { addColumnsIn } from '@/server/tables/change';
import { createCredential } from '../credentials/credentials';
import { createTable, updateTable } from '@/server/operations/tables/tables';
import { createVariable, updateVariable } from '../workspace/variables';
import { columnsInFile } from './export';
import { keyOf, type Place, type PushState } from './push-state';
import { within } from './within';

/** Columns are added in the transaction of the push: they need no index that has to be built outside of one. */
const addColumns = operation({
  ...updateTable,
  effect: writeEffect('configuration_change'),
  body: jsonBody(TableUpdate),
  run: async ({ db, caller: { workspaceId }, note }, { params: { id }, body }) => {
    note({ resourceId: id });
    await addColumnsIn(db, { workspaceId, id }, body.columns ?? [], async (_, change) =>
      note({ metadata: { added: change?.added.map(({ name }) => name) } }),
    );
    return { id };
  },
  reply: jsonReply(z.object({ id: z.string() })),
});

/** The tables of the files: missing ones are created, missing columns are added. Nothing is removed. */
export async function pushTables(state: PushState): Promise<void> {
  for (const item of state.asked.tables) {
    const key = keyOf(item);
    await state.attempt({ kind: 'table', name: key, workflow: null }, () => pushTable(state, key, item));
  }
}

async function pushTable(state: PushState, key: string, item: ProjectTable): Promise<void> {
  const { call } = state;
  const found = state.match('table', key, item);
  if (!found) {
    const { id } = await within(call, createTable, { body: { name: item.name, columns: item.columns } });
    state.ids.table.set(key, id);
    return state.change({ kind: 'table', name: key, action: 'create', after: columnsInFile(withRules(item)) });
  }
  state.ids.table.set(key, found.id);
  const row = await call.db.dataTable.findUniqueOrThrow({ where: { id: found.id } });
  const here = columnsInFile(row.columns as unknown as TableColumn[]);
  const wanted = columnsInFile(withRules(item));
  const other = wanted.filter((one) => here.some((two) => two.name === one.name && !isDeepStrictEqual(one, two)));
  if (other.length > 0)
    throw conflict(
      `Columns are different here: ${other.map(({ name }) => name).join(', ')}. Change their types and rules by hand; a push only adds columns.`,
    );
  const added = wanted.filter((one) => !here.some(({ name }) => name === one.name));
  if (added.length === 0) return;
  const columns = [...here, ...added];
  await within(call, addColumns, { params: { id: found.id }, body: { columns } });
  state.change({ kind: 'table', name: key, action: 'update', fields: ['columns'], before: here, after: columns });
}

const withRules = ({ columns }: ProjectTable): TableColumn[] =>
  columns.map(({ name, type, isRequired = false, isUnique = false }) => ({ id: '', name, type, isRequired, isUnique }));

/** The variables of the files. Others are left alone. */
export async function pushVariables(state: PushState): Promise<void> {
  const { call, asked } = state;
  if (asked.variables.length === 0) return;
  requirePermission(call.caller, 'variable', 'read');
  const rows = await call.db.variable.findMany({ where: { workspaceId: call.caller.workspaceId } });
  const here = new Map<string, Variable>(rows.map((row) => [row.name, row]));
  for (const body of asked.variables) {
    const { name, value } = body;
    const before = here.get(name);
    if (before && isDeepStrictEqual(before.value, value)) continue;
    await state.attempt({ kind: 'variable', name, workflow: null }, async () => {
      if (before) {
        await within(call, updateVariable, { params: { name }, body: { value } });
        const fields = ['value'];
        return state.change({ kind: 'variable', name, action: 'update', fields, before: before.value, after: value });
      }
      await within(call, createVariable, { body });
      return state.change({ kind: 'variable', name, action: 'create', after: value });
    });
  }
}

/** The credentials that the workflows of the files use. Those that exist stay as they are: they differ between environments. */
export async function pushCredentials(state: PushState, used: ReadonlySet<string>): Promise<void> {
  for (const item of state.asked.credentials) {
    const key = keyOf(item);
    if (!used.has(key)) continue;
    const place: Place = { kind: 'credential', name: key, workflow: null };
    await state.attempt(place, () => pushCredential(state, place, item));
  }
}

async function pushCredential(state: PushState, place: Place, item: ProjectCredential): Promise<void> {
  const { call, asked } = state;
  const found = state.match('credential', place.name, item);
  if (found) {
    const row = await call.db.credential.findUniqueOrThrow({ where: { id: found.id } });
    if (row.type !== item.type || row.connectorId !== item.connectorId)
      throw conflict(`${found.name} is another kind of credential here: ${kindText(row)}, not ${kindText(item)}.`);
    state.ids.credential.set(place.name, found.id);
    return;
  }
  if (!asked.createMissing)
    throw conflict('It does not exist here. Create it, map its key to another one, or push with createMissing.');
  const { name, type, connectorId, config } = item;
  const { id } = await within(call, createWithoutSecrets, { body: { name, type, connectorId, config } });
  state.ids.credential.set(place.name, id);
  state.change({ kind: 'credential', name: place.name, action: 'create', after: { type, connectorId, config } });
  state.note(place, 'It has no secrets yet: enter them, or connect the account.');
}

const kindText = ({ type, connectorId }: { type: string; connectorId: string | null }) =>
  connectorId === null ? type : `${type} of ${connectorId}`;

/** The public fields of a config, by the part of the schema that has no secrets. */
function publicConfig(kind: CredentialKind, config: Record<string, unknown>): Record<string, unknown> {
  const schema = schemaOf(kind);
  const secrets = new Set(secretNames(schema));
  const fields = Object.entries(schema.shape).filter(([name]) => !secrets.has(name));
  const parsed = z.strictObject(Object.fromEntries(fields) as z.ZodRawShape).safeParse(config, { error: explain });
  if (parsed.error) throw invalid(fieldErrors(parsed.error, ['config']));
  return parsed.data;
}

/** A credential that waits for its secrets: runs that use it fail with a message that says so. */
const createWithoutSecrets = operation({
  ...createCredential,
  body: jsonBody(CredentialCreate),
  reply: jsonReply(z.object({ id: z.string() }), { headers: undefined }),
  async run({ db, caller: { workspaceId, userId }, note }, { body: { name, type, connectorId, config } }) {
    const isOne = isOfConnector(type as CredentialType);
    const connector = isOne ? await findConnector(workspaceId, connectorId, db, true) : undefined;
    if ((type === 'token' && !connector?.token) || (isCustomId(connectorId) && !connector))
      throw conflict(`The connector ${connectorId ?? ''} does not exist here.`);
    const fields = publicConfig({ type, connectorId, connector }, config);
    await requireBelowCap(db, 'credentials', workspaceId);
    const id = newId('cred');
    note({ resourceId: id, metadata: { name } });
    const sealed = sealSecrets(id, {});
    const state = { status: 'expired', version: 1, config: fields as object, sealed, secretFields: [] };
    await db.credential.create({ data: { id, workspaceId, name, type, connectorId, createdBy: userId, ...state } });
    return { id };
  },
});
