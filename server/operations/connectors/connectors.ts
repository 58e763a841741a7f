import { z } from 'zod';
import {
  ConnectorPage,
  Registration,
  RegistrationRequest,
  type Connector as Listed,
} from '@/contract/connectors/connector';
import { ConnectorDetails } from '@/contract/connectors/custom-connector';
import { PageQuery } from '@/contract/text';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag } from '@/server/api/precondition';
import { conflict, invalid, notFound } from '@/server/errors/problem';
import { connectorOf, connectors as all } from '@/server/connectors';
import type { Connector } from '@/server/connectors/connector';
import { disconnect } from '@/server/connectors/authorization/connect';
import { movedBy } from '@/server/connectors/destinations';
import { findConnector } from '@/server/connectors/lookup';
import {
  addressesOf,
  configured,
  REGISTRATION_DESTINATIONS,
  registrationOf,
  sealRegistration,
} from '@/server/connectors/authorization/registration';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { detailsOf, stored } from './details';
import { needsAddresses, presentBrief, presentConnector, presentCustom, type Registered } from './present';

const tag = 'Connectors';
const Id = z.strictObject({ id: z.string() });

const list = operation({
  id: 'connectors.list',
  method: 'GET',
  path: '/api/connectors',
  summary: 'List connectors',
  description:
    'The third-party services that can be connected, their operations, and whether an app registration exists. Connectors ' +
    'that the workspace has made from OpenAPI documents follow, newest first.',
  tag,
  access: memberAccess('connector', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(ConnectorPage),
  async run({ db, caller }, { query: { limit, offset } }) {
    const { workspaceId } = caller;
    const registered = await configured(workspaceId, all);
    const builtIn = all.slice(offset, offset + limit).map((connector) => presentConnector(connector, registered));
    const total = await db.connector.count({ where: { workspaceId } });
    const skip = Math.max(0, offset - all.length);
    const take = limit - builtIn.length;
    const custom = total > skip && take > 0 ? await listCustom(db, workspaceId, { skip, take }, registered) : [];
    return { data: [...builtIn, ...custom], total: all.length + total, limit, offset };
  },
});

/** Connectors of the workspace, newest first, with the words of their operations. */
async function listCustom(
  db: Db,
  workspaceId: string,
  range: { skip: number; take: number },
  { own }: Registered,
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
  return rows.map(({ operations, ...row }) => presentCustom(row, operations.map(presentBrief), { own, ready: own }));
}

const get = operation({
  id: 'connectors.get',
  method: 'GET',
  path: '/api/connectors/{id}',
  summary: 'Read a connector with all of its operations',
  tag,
  access: memberAccess('connector', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(ConnectorDetails, { headers: ({ source }) => (source ? etag({ version: source.version }) : {}) }),
  async run({ db, caller }, { params: { id } }) {
    const connector = connectorOf(id);
    if (!connector) return detailsOf(db, caller, await stored(db, caller.workspaceId, id));
    const registered = await configured(caller.workspaceId, [connector]);
    return { ...presentConnector(connector, registered), selection: null, usedBy: [], otherUses: 0 };
  },
});

async function withApp(workspaceId: string, id: string, db: Db): Promise<Connector> {
  const connector = await findConnector(workspaceId, id, db, true);
  if (!connector) throw notFound('The connector');
  if (connector.flow === 'token') throw conflict(`${connector.name} takes a token: it needs no app registration.`);
  return connector;
}

const secretFieldsOf = ({ sealedParameters }: { sealedParameters: string | null }): string[] =>
  sealedParameters === null ? ['clientSecret'] : ['clientSecret', 'tokenParameters'];

type Addresses = { tokenUrl?: string; apiUrl?: string };

/** A registration contains addresses if, and only if, the provider has no common ones. */
function addressIssues(connector: Connector, addresses: Addresses) {
  const names = ['tokenUrl', 'apiUrl'] as const;
  if (!needsAddresses(connector)) {
    return names
      .filter((name) => addresses[name])
      .map((field) => ({ field, message: `is fixed for ${connector.name}` }));
  }
  const configured = { ...runtime().env.connectors[connector.id], ...addresses };
  return names.filter((name) => !configured[name]).map((field) => ({ field, message: 'is required' }));
}

const register = operation({
  id: 'connectors.register',
  method: 'PUT',
  path: '/api/connectors/{id}/registration',
  summary: "Set the workspace's own app registration",
  description:
    'It overrides the registration of the service. The secret is sealed and never returned. When it changes the ' +
    'addresses of the connector, the workspace’s credentials of this connector lose their tokens and must be connected again.',
  tag,
  access: memberAccess('connector', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(RegistrationRequest),
  reply: jsonReply(Registration),
  async run(
    { db, caller: { workspaceId, userId }, note },
    { params: { id }, body: { clientId, clientSecret, tokenParameters, ...addresses } },
  ) {
    const connector = await withApp(workspaceId, id, db);
    const issues = addressIssues(connector, addresses);
    if (issues.length > 0) throw invalid(issues);
    const secrets = sealRegistration(workspaceId, connector.id, { clientSecret, tokenParameters });
    const row = { clientId, ...secrets, addresses, updatedBy: userId, updatedAt: new Date() };
    const disconnected = await changing(db, workspaceId, connector, () =>
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
      secretFields: secretFieldsOf(row),
      redirectUri: runtime().env.oauthRedirectUrl,
      updatedAt: row.updatedAt.toISOString(),
    };
  },
});

const registration = operation({
  id: 'connectors.registration',
  method: 'GET',
  path: '/api/connectors/{id}/registration',
  summary: "Read the workspace's own app registration",
  description: 'Without the secret. 404 if the workspace has none, also if the service has one.',
  tag,
  access: memberAccess('connector', 'update'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Registration),
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const connector = await withApp(workspaceId, id, db);
    const where = { workspaceId_connectorId: { workspaceId, connectorId: connector.id } };
    const row = await db.connectorRegistration.findUnique({ where });
    if (!row) throw notFound('The registration');
    return {
      connectorId: connector.id,
      clientId: row.clientId,
      ...(row.addresses as Addresses),
      secretFields: secretFieldsOf(row),
      redirectUri: runtime().env.oauthRedirectUrl,
      updatedAt: row.updatedAt.toISOString(),
    };
  },
});

const unregister = operation({
  id: 'connectors.unregister',
  method: 'DELETE',
  path: '/api/connectors/{id}/registration',
  summary: "Remove the workspace's own app registration",
  description:
    'Credentials that were connected by it can no longer be renewed. Those whose connector has other addresses without it ' +
    'lose their tokens.',
  tag,
  access: memberAccess('connector', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    const connector = await withApp(workspaceId, id, db);
    const disconnected = await changing(db, workspaceId, connector, async () => {
      const { count } = await db.connectorRegistration.deleteMany({
        where: { workspaceId, connectorId: connector.id },
      });
      if (count === 0) throw notFound('The registration');
    });
    note({ metadata: { disconnected } });
  },
});

/**
 * Changes a registration. Tokens of the connector's credentials were granted for the old addresses: if those change, the credentials are
 * disconnected. Returns their number.
 */
async function changing(
  db: Db,
  workspaceId: string,
  connector: Connector,
  change: () => Promise<unknown>,
): Promise<number> {
  const addresses = async () => addressesOf(connector, await registrationOf(connector, workspaceId, db));
  const before = await addresses();
  await change();
  const movedDestinations = movedBy(REGISTRATION_DESTINATIONS, before, await addresses());
  return movedDestinations.length > 0 ? disconnect(db, workspaceId, connector) : 0;
}

export const connectors = [list, get, register, registration, unregister];
