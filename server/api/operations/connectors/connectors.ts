import { z } from 'zod';
import {
  ListConnectorsResponse,
  RegistrationResponse,
  RegisterConnectorRequest,
  type ConnectorResponse as Listed,
} from '@/contract/connectors/connector';
import { ConnectorDetails } from '@/contract/connectors/custom-connector';
import { PaginationQuery } from '@/contract/text';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader } from '@/server/api/operation/precondition';
import { conflictProblem, invalidRequestProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { findBuiltInConnector, builtInConnectors as all } from '@/server/connectors';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { disconnectCredentials } from '@/server/connectors/authorization/connect';
import { changedDestinations } from '@/server/network/outbound/destinations';
import { findConnector } from '@/server/connectors/lookup';
import {
  registrationAddresses,
  configuredConnectorIds,
  REGISTRATION_DESTINATIONS,
  findAppRegistration,
  sealRegistration,
} from '@/server/connectors/authorization/registration';
import type { DatabaseClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { readConnectorDetails, requireCustomConnector } from './details';
import {
  needsOwnAddresses,
  toOperationBrief,
  toConnectorResponse,
  toCustomConnectorResponse,
  type RegisteredConnectorIds,
} from './responses';

const CONNECTOR_TAG = 'Connectors';
const ConnectorParams = z.strictObject({ id: z.string() });

const listConnectorsOperation = defineOperation({
  id: 'connectors.list',
  method: 'GET',
  path: '/api/connectors',
  summary: 'List connectors',
  description:
    'The third-party services that can be connected, their operations, and whether an app registration exists. Connectors ' +
    'that the workspace has made from OpenAPI documents follow, newest first.',
  tag: CONNECTOR_TAG,
  access: memberAccess('connector', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListConnectorsResponse),
  async run({ db, caller }, { query: { limit, offset } }) {
    const { workspaceId } = caller;
    const registered = await configuredConnectorIds(workspaceId, all);
    const builtIn = all.slice(offset, offset + limit).map((connector) => toConnectorResponse(connector, registered));
    const total = await db.connector.count({ where: { workspaceId } });
    const skip = Math.max(0, offset - all.length);
    const take = limit - builtIn.length;
    const custom =
      total > skip && take > 0 ? await listCustomConnectors(db, workspaceId, { skip, take }, registered) : [];
    return { data: [...builtIn, ...custom], total: all.length + total, limit, offset };
  },
});

/** Connectors of the workspace, newest first, with the words of their operations. */
async function listCustomConnectors(
  db: DatabaseClient,
  workspaceId: string,
  range: { skip: number; take: number },
  { own }: RegisteredConnectorIds,
): Promise<Listed[]> {
  const rows = await db.connector.findMany({
    where: { workspaceId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    ...range,
    include: {
      operations: {
        select: { operation: true, title: true, help: true, grouping: true, isRemoved: true },
        orderBy: { position: 'asc' },
      },
    },
  });
  return rows.map(({ operations, ...row }) =>
    toCustomConnectorResponse(row, operations.map(toOperationBrief), { own, ready: own }),
  );
}

const getConnectorOperation = defineOperation({
  id: 'connectors.get',
  method: 'GET',
  path: '/api/connectors/{id}',
  summary: 'Read a connector with all of its operations',
  tag: CONNECTOR_TAG,
  access: memberAccess('connector', 'read'),
  effect: readEffect(),
  params: ConnectorParams,
  reply: jsonReply(ConnectorDetails, {
    headers: ({ source }) => (source ? versionEtagHeader({ version: source.version }) : {}),
  }),
  async run({ db, caller }, { params: { id } }) {
    const connector = findBuiltInConnector(id);
    if (!connector) return readConnectorDetails(db, caller, await requireCustomConnector(db, caller.workspaceId, id));
    const registered = await configuredConnectorIds(caller.workspaceId, [connector]);
    return { ...toConnectorResponse(connector, registered), selection: null, usedBy: [], otherUses: 0 };
  },
});

async function requireAppConnector(workspaceId: string, id: string, db: DatabaseClient): Promise<ConnectorDefinition> {
  const connector = await findConnector(workspaceId, id, db, true);
  if (!connector) throw notFoundProblem('The connector');
  if (connector.flow === 'token')
    throw conflictProblem(`${connector.name} takes a token: it needs no app registration.`);
  return connector;
}

const registrationSecretFields = ({ sealedParameters }: { sealedParameters: string | null }): string[] =>
  sealedParameters === null ? ['clientSecret'] : ['clientSecret', 'tokenParameters'];

type RegistrationAddresses = { tokenUrl?: string; apiUrl?: string };

/** A registration contains addresses if, and only if, the provider has no common ones. */
function registrationAddressIssues(connector: ConnectorDefinition, addresses: RegistrationAddresses) {
  const names = ['tokenUrl', 'apiUrl'] as const;
  if (!needsOwnAddresses(connector)) {
    return names
      .filter((name) => addresses[name])
      .map((field) => ({ field, message: `is fixed for ${connector.name}` }));
  }
  const configured = { ...getRuntime().env.connectors[connector.id], ...addresses };
  return names.filter((name) => !configured[name]).map((field) => ({ field, message: 'is required' }));
}

const setRegistrationOperation = defineOperation({
  id: 'connectors.register',
  method: 'PUT',
  path: '/api/connectors/{id}/registration',
  summary: "Set the workspace's own app registration",
  description:
    'It overrides the registration of the service. The secret is sealed and never returned. When it changes the ' +
    'addresses of the connector, the workspace’s credentials of this connector lose their tokens and must be connected again.',
  tag: CONNECTOR_TAG,
  access: memberAccess('connector', 'update'),
  effect: writeEffect('configuration_change'),
  params: ConnectorParams,
  body: jsonBody(RegisterConnectorRequest),
  reply: jsonReply(RegistrationResponse),
  async run(
    { db, caller: { workspaceId, userId }, note },
    { params: { id }, body: { clientId, clientSecret, tokenParameters, ...addresses } },
  ) {
    const connector = await requireAppConnector(workspaceId, id, db);
    const issues = registrationAddressIssues(connector, addresses);
    if (issues.length > 0) throw invalidRequestProblem(issues);
    const secrets = sealRegistration(workspaceId, connector.id, { clientSecret, tokenParameters });
    const row = { clientId, ...secrets, addresses, updatedBy: userId, updatedAt: new Date() };
    const disconnected = await changeRegistration(db, workspaceId, connector, () =>
      db.connectorRegistration.upsert({
        where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
        create: { workspaceId, connectorId: connector.id, ...row },
        update: row,
      }),
    );
    note({ metadata: { disconnected, tokenParameters: Object.keys(tokenParameters ?? {}) } });
    return {
      connectorId: connector.id,
      clientId,
      ...addresses,
      secretFields: registrationSecretFields(row),
      redirectUri: getRuntime().env.oauthRedirectUrl,
      updatedAt: row.updatedAt.toISOString(),
    };
  },
});

const getRegistrationOperation = defineOperation({
  id: 'connectors.registration',
  method: 'GET',
  path: '/api/connectors/{id}/registration',
  summary: "Read the workspace's own app registration",
  description: 'Without the secret. 404 if the workspace has none, also if the service has one.',
  tag: CONNECTOR_TAG,
  access: memberAccess('connector', 'update'),
  effect: readEffect(),
  params: ConnectorParams,
  reply: jsonReply(RegistrationResponse),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const connector = await requireAppConnector(workspaceId, id, db);
    const where = { workspaceId_connectorId: { workspaceId, connectorId: connector.id } };
    const row = await db.connectorRegistration.findUnique({ where });
    if (!row) throw notFoundProblem('The registration');
    return {
      connectorId: connector.id,
      clientId: row.clientId,
      ...(row.addresses as RegistrationAddresses),
      secretFields: registrationSecretFields(row),
      redirectUri: getRuntime().env.oauthRedirectUrl,
      updatedAt: row.updatedAt.toISOString(),
    };
  },
});

const deleteRegistrationOperation = defineOperation({
  id: 'connectors.unregister',
  method: 'DELETE',
  path: '/api/connectors/{id}/registration',
  summary: "Remove the workspace's own app registration",
  description:
    'Credentials that were connected by it can no longer be renewed. Those whose connector has other addresses without it ' +
    'lose their tokens.',
  tag: CONNECTOR_TAG,
  access: memberAccess('connector', 'update'),
  effect: writeEffect('configuration_change'),
  params: ConnectorParams,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    const connector = await requireAppConnector(workspaceId, id, db);
    const disconnected = await changeRegistration(db, workspaceId, connector, async () => {
      const { count } = await db.connectorRegistration.deleteMany({
        where: { workspaceId, connectorId: connector.id },
      });
      if (count === 0) throw notFoundProblem('The registration');
    });
    note({ metadata: { disconnected } });
  },
});

/**
 * Changes a registration. Tokens of the connector's credentials were granted for the old addresses: if those change,
 * the credentials are disconnected. Returns their number.
 */
async function changeRegistration(
  db: DatabaseClient,
  workspaceId: string,
  connector: ConnectorDefinition,
  change: () => Promise<unknown>,
): Promise<number> {
  const addresses = async () => registrationAddresses(connector, await findAppRegistration(connector, workspaceId, db));
  const before = await addresses();
  await change();
  const movedDestinations = changedDestinations(REGISTRATION_DESTINATIONS, before, await addresses());
  return movedDestinations.length > 0 ? disconnectCredentials(db, workspaceId, connector) : 0;
}

export const connectorOperations = [
  listConnectorsOperation,
  getConnectorOperation,
  setRegistrationOperation,
  getRegistrationOperation,
  deleteRegistrationOperation,
];
