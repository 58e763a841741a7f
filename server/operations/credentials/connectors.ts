import { z } from 'zod';
import { ConnectorPage, Registration, RegistrationRequest, type Connector as Listed } from '@/contract/connector';
import { connectorIcon, serviceIcon } from '@/contract/connector-icons';
import { PageQuery } from '@/contract/text';
import { operation } from '@/server/api/operation';
import { conflict, invalid, notFound } from '@/server/errors/problem';
import { connectorOf, connectors as all } from '@/server/connectors';
import { operationsOf } from '@/server/connectors/catalogue';
import { tokenForm } from '@/server/connectors/config';
import type { Connector } from '@/server/connectors/connector';
import { disconnect } from '@/server/connectors/authorization/connect';
import { movedBy } from '@/server/connectors/destinations';
import {
  addressesOf,
  configured,
  hasAddresses,
  REGISTRATION_DESTINATIONS,
  registrationOf,
  sealClientSecret,
} from '@/server/connectors/authorization/registration';
import type { Db } from '@/server/db/client';
import { runtime } from '@/server/runtime';

const tag = 'Connectors';
const Id = z.strictObject({ id: z.string() });

/** Without an authorization page and a fixed API address: every customer of this connector has different ones. */
const needsAddresses = (connector: Connector) => !hasAddresses(connector, {});

const list = operation({
  id: 'connectors.list',
  method: 'GET',
  path: '/api/connectors',
  summary: 'List connectors',
  description:
    'The third-party services that can be connected, their operations, and whether an app registration exists.',
  tag,
  access: { resource: 'connector', action: 'read' },
  effect: 'read',
  query: PageQuery,
  output: ConnectorPage,
  async run({ caller }, { query: { limit, offset } }) {
    const { own, ready } = await configured(caller.workspaceId, all);
    const data = all.slice(offset, offset + limit).map((connector): Listed => ({
      id: connector.id,
      name: connector.name,
      description: connector.description,
      synonyms: connector.synonyms ?? [],
      icon: connectorIcon(connector.id),
      flow: connector.flow,
      token: tokenForm(connector),
      services: (connector.services ?? []).map((service) => ({
        ...service,
        icon: serviceIcon(connector.id, service.id),
      })),
      scopes: Object.keys(connector.scopes),
      optionalScopes: Object.keys(connector.optionalScopes ?? {}),
      additionalParams: (connector.parameters ?? []).map(({ name, required, title, hint }) => ({
        name,
        required,
        title,
        description: hint,
      })),
      operations: operationsOf(connector),
      configured: connector.flow === 'token' || ready.has(connector.id),
      registration: own.has(connector.id) ? 'workspace' : ready.has(connector.id) ? 'service' : null,
      needsAddresses: needsAddresses(connector),
      redirectUri: runtime().env.oauthRedirectUrl,
      setup: connector.setup,
    }));
    return { data, total: all.length, limit, offset };
  },
});

function findConnector(id: string): Connector {
  const connector = connectorOf(id);
  if (!connector) throw notFound('The connector');
  if (connector.flow === 'token') throw conflict(`${connector.name} takes a token: it needs no app registration.`);
  return connector;
}

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
  access: { resource: 'connector', action: 'update' },
  effect: 'write',
  params: Id,
  body: RegistrationRequest,
  output: Registration,
  audit: 'configuration_change',
  async run(
    { db, caller: { workspaceId, userId }, note },
    { params: { id }, body: { clientId, clientSecret, ...addresses } },
  ) {
    const connector = findConnector(id);
    const issues = addressIssues(connector, addresses);
    if (issues.length > 0) throw invalid(issues);
    const sealed = sealClientSecret(workspaceId, connector.id, clientSecret);
    const row = { clientId, sealed, addresses, updatedBy: userId, updatedAt: new Date() };
    const disconnected = await changing(db, workspaceId, connector, () =>
      db.connectorRegistration.upsert({
        where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
        create: { workspaceId, connectorId: connector.id, ...row },
        update: row,
      }),
    );
    note({ metadata: { disconnected } });
    return {
      connectorId: connector.id,
      clientId,
      ...addresses,
      secretFields: ['clientSecret'],
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
  access: { resource: 'connector', action: 'update' },
  effect: 'read',
  params: Id,
  output: Registration,
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const connector = findConnector(id);
    const where = { workspaceId_connectorId: { workspaceId, connectorId: connector.id } };
    const row = await db.connectorRegistration.findUnique({ where });
    if (!row) throw notFound('The registration');
    return {
      connectorId: connector.id,
      clientId: row.clientId,
      ...(row.addresses as Addresses),
      secretFields: ['clientSecret'],
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
  access: { resource: 'connector', action: 'update' },
  effect: 'write',
  params: Id,
  audit: 'configuration_change',
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    const connector = findConnector(id);
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

export const connectors = [list, register, registration, unregister];
