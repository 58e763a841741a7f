import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type CredentialType, CreateCredentialRequest, secretFieldNames } from '@/contract/credentials/credential';
import type { ProjectCredential, ProjectTable } from '@/contract/projects/project';
import { type TableColumn, UpdateTableRequest } from '@/contract/tables/table';
import type { Variable } from '@/generated/prisma/client';
import { requirePermission } from '@/server/people/access/require';
import { defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, writeEffect } from '@/server/api/operation/operation-parts';
import { credentialConfigSchema, type CredentialKind } from '@/server/connectors/config';
import { isCustomConnectorId } from '@/server/connectors/custom/connector';
import { findConnector, isConnectorCredential } from '@/server/connectors/lookup';
import { sealCredentialSecrets } from '@/server/connectors/secrets';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, invalidRequestProblem } from '@/server/platform/errors/problem';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { addColumnsInside } from '@/server/data/tables/change';
import { createCredentialOperation } from '../credentials/credentials';
import { createTableOperation, updateTableOperation } from '@/server/api/operations/tables/tables';
import { createVariableOperation, updateVariableOperation } from '../workspace/variables';
import { toProjectColumns } from './export';
import { projectKey, type ProjectObjectRef, type PushState } from './push-state';
import { runOperationInside } from './run-operation-inside';

/** Columns are added in the transaction of the push: they need no index that has to be built outside of one. */
const addColumnsOperation = defineOperation({
  ...updateTableOperation,
  effect: writeEffect('configuration_change'),
  body: jsonBody(UpdateTableRequest),
  run: async ({ db, caller: { workspaceId }, note }, { params: { id }, body }) => {
    note({ resourceId: id });
    await addColumnsInside(db, { workspaceId, id }, body.columns ?? [], async (_, change) =>
      note({ metadata: { added: change?.added.map(({ name }) => name) } }),
    );
    return { id };
  },
  reply: jsonReply(z.object({ id: z.string() })),
});

/** Creates the missing tables of the files, and adds missing columns. Removes nothing. */
export async function pushTables(state: PushState): Promise<void> {
  for (const item of state.asked.tables) {
    const key = projectKey(item);
    await state.runPart({ kind: 'table', name: key, workflow: null }, () => pushTable(state, key, item));
  }
}

async function pushTable(state: PushState, key: string, item: ProjectTable): Promise<void> {
  const { call } = state;
  const found = state.findMatch('table', key, item);
  if (!found) {
    const { id } = await runOperationInside(call, createTableOperation, {
      body: { name: item.name, columns: item.columns },
    });
    state.ids.table.set(key, id);
    return state.recordChange({
      kind: 'table',
      name: key,
      action: 'create',
      after: toProjectColumns(withColumnRules(item)),
    });
  }
  state.ids.table.set(key, found.id);
  const row = await call.db.dataTable.findUniqueOrThrow({ where: { id: found.id } });
  const here = toProjectColumns(row.columns as unknown as TableColumn[]);
  const wanted = toProjectColumns(withColumnRules(item));
  const other = wanted.filter((one) => here.some((two) => two.name === one.name && !isDeepStrictEqual(one, two)));
  if (other.length > 0)
    throw conflictProblem(
      `Columns are different here: ${other.map(({ name }) => name).join(', ')}. Change their types and rules by hand; a push only adds columns.`,
    );
  const added = wanted.filter((one) => !here.some(({ name }) => name === one.name));
  if (added.length === 0) return;
  const columns = [...here, ...added];
  await runOperationInside(call, addColumnsOperation, { params: { id: found.id }, body: { columns } });
  state.recordChange({ kind: 'table', name: key, action: 'update', fields: ['columns'], before: here, after: columns });
}

const withColumnRules = ({ columns }: ProjectTable): TableColumn[] =>
  columns.map(({ name, type, isRequired = false, isUnique = false }) => ({ id: '', name, type, isRequired, isUnique }));

/** Creates and updates the variables of the files, and leaves others alone. */
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
    await state.runPart({ kind: 'variable', name, workflow: null }, async () => {
      if (before) {
        await runOperationInside(call, updateVariableOperation, { params: { name }, body: { value } });
        const fields = ['value'];
        return state.recordChange({
          kind: 'variable',
          name,
          action: 'update',
          fields,
          before: before.value,
          after: value,
        });
      }
      await runOperationInside(call, createVariableOperation, { body });
      return state.recordChange({ kind: 'variable', name, action: 'create', after: value });
    });
  }
}

/**
 * Creates the missing credentials that the workflows of the files use. Existing ones stay, because they differ between
 * environments.
 */
export async function pushCredentials(state: PushState, used: ReadonlySet<string>): Promise<void> {
  for (const item of state.asked.credentials) {
    const key = projectKey(item);
    if (!used.has(key)) continue;
    const place: ProjectObjectRef = { kind: 'credential', name: key, workflow: null };
    await state.runPart(place, () => pushCredential(state, place, item));
  }
}

async function pushCredential(state: PushState, place: ProjectObjectRef, item: ProjectCredential): Promise<void> {
  const { call, asked } = state;
  const found = state.findMatch('credential', place.name, item);
  if (found) {
    const row = await call.db.credential.findUniqueOrThrow({ where: { id: found.id } });
    if (row.type !== item.type || row.connectorId !== item.connectorId)
      throw conflictProblem(
        `${found.name} is another kind of credential here: ${credentialKindText(row)}, not ${credentialKindText(item)}.`,
      );
    state.ids.credential.set(place.name, found.id);
    return;
  }
  if (!asked.createMissing)
    throw conflictProblem('It does not exist here. Create it, map its key to another one, or push with createMissing.');
  const { name, type, connectorId, config } = item;
  const { id } = await runOperationInside(call, createWithoutSecretsOperation, {
    body: { name, type, connectorId, config },
  });
  state.ids.credential.set(place.name, id);
  state.recordChange({ kind: 'credential', name: place.name, action: 'create', after: { type, connectorId, config } });
  state.recordNote(place, 'It has no secrets yet: enter them, or connect the account.');
}

const credentialKindText = ({ type, connectorId }: { type: string; connectorId: string | null }) =>
  connectorId === null ? type : `${type} of ${connectorId}`;

/** Parses a config by the part of its schema that has no secrets. */
function parsePublicConfig(kind: CredentialKind, config: Record<string, unknown>): Record<string, unknown> {
  const schema = credentialConfigSchema(kind);
  const secrets = new Set(secretFieldNames(schema));
  const fields = Object.entries(schema.shape).filter(([name]) => !secrets.has(name));
  const parsed = z
    .strictObject(Object.fromEntries(fields) as z.ZodRawShape)
    .safeParse(config, { error: explainMissingValue });
  if (parsed.error) throw invalidRequestProblem(toFieldErrors(parsed.error, ['config']));
  return parsed.data;
}

/** A credential that waits for its secrets: runs that use it fail with a message that says so. */
const createWithoutSecretsOperation = defineOperation({
  ...createCredentialOperation,
  body: jsonBody(CreateCredentialRequest),
  reply: jsonReply(z.object({ id: z.string() }), { headers: undefined }),
  async run({ db, caller: { workspaceId, userId }, note }, { body: { name, type, connectorId, config } }) {
    const isOne = isConnectorCredential(type as CredentialType);
    const connector = isOne ? await findConnector(workspaceId, connectorId, db, true) : undefined;
    if ((type === 'token' && !connector?.token) || (isCustomConnectorId(connectorId) && !connector))
      throw conflictProblem(`The connector ${connectorId ?? ''} does not exist here.`);
    const fields = parsePublicConfig({ type, connectorId, connector }, config);
    await requireBelowCap(db, 'credentials', workspaceId);
    const id = generateId('cred');
    note({ resourceId: id, metadata: { name } });
    const sealed = sealCredentialSecrets(id, {});
    const state = { status: 'expired', version: 1, config: fields as object, sealed, secretFields: [] };
    await db.credential.create({ data: { id, workspaceId, name, type, connectorId, createdBy: userId, ...state } });
    return { id };
  },
});
