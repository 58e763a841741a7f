import { z } from 'zod';
import { ConnectorPage, Registration, RegistrationRequest, type Connector as Listed } from '@/contract/connector';
import { PageQuery } from '@/contract/text';
import { operation } from '../api/operation';
import { invalid, notFound } from '../api/problem';
import { connectorOf, connectors as all } from '../connectors';
import { operationsOf } from '../connectors/catalogue';
import type { Connector } from '../connectors/connector';
import { configured, hasAddresses, sealClientSecret } from '../connectors/registration';
import { runtime } from '../runtime';

const tag = 'Connectors';
const Id = z.strictObject({ id: z.string() });

/** Neither a token nor an API address of its own: every customer of this one has others. */
const needsAddresses = (connector: Connector) => !hasAddresses(connector, {});

const list = operation({
  id: 'connectors.list',
  method: 'GET',
  path: '/api/connectors',
  summary: 'List connectors',
  description:
    'The third parties that can be connected, what can be done there, and whether an app registration is there.',
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
      icon: `/connectors/${connector.id}.svg`,
      flow: connector.flow,
      scopes: Object.keys(connector.scopes),
      optionalScopes: Object.keys(connector.optionalScopes ?? {}),
      additionalParams: (connector.parameters ?? []).map(({ name, required, title, hint }) => ({
        name,
        required,
        title,
        description: hint,
      })),
      operations: operationsOf(connector),
      configured: ready.has(connector.id),
      registration: own.has(connector.id) ? 'workspace' : ready.has(connector.id) ? 'service' : null,
      needsAddresses: needsAddresses(connector),
      redirectUri: runtime().env.oauthRedirectUrl,
      setup: connector.setup,
    }));
    return { data, total: all.length, limit, offset };
  },
});

function seen(id: string): Connector {
  const connector = connectorOf(id);
  if (!connector) throw notFound('The connector');
  return connector;
}

type Addresses = { tokenUrl?: string; apiUrl?: string };

/** A registration names addresses where, and only where, the provider has none in common. */
function addressIssues(connector: Connector, addresses: Addresses) {
  const names = ['tokenUrl', 'apiUrl'] as const;
  if (!needsAddresses(connector)) {
    return names
      .filter((name) => addresses[name])
      .map((field) => ({ field, message: `is fixed for ${connector.name}` }));
  }
  const known = { ...runtime().env.connectors[connector.id], ...addresses };
  return names.filter((name) => !known[name]).map((field) => ({ field, message: 'is required' }));
}

const register = operation({
  id: 'connectors.register',
  method: 'PUT',
  path: '/api/connectors/{id}/registration',
  summary: "Set the workspace's own app registration",
  description: 'It wins over the one that the service may have. The secret is sealed and never comes back.',
  tag,
  access: { resource: 'connector', action: 'update' },
  effect: 'write',
  params: Id,
  body: RegistrationRequest,
  output: Registration,
  audit: 'configuration_change',
  async run(
    { db, caller: { workspaceId, userId } },
    { params: { id }, body: { clientId, clientSecret, ...addresses } },
  ) {
    const connector = seen(id);
    const issues = addressIssues(connector, addresses);
    if (issues.length > 0) throw invalid(issues);
    const sealed = sealClientSecret(workspaceId, connector.id, clientSecret);
    const row = { clientId, sealed, addresses, updatedBy: userId, updatedAt: new Date() };
    await db.connectorRegistration.upsert({
      where: { workspaceId_connectorId: { workspaceId, connectorId: connector.id } },
      create: { workspaceId, connectorId: connector.id, ...row },
      update: row,
    });
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

const unregister = operation({
  id: 'connectors.unregister',
  method: 'DELETE',
  path: '/api/connectors/{id}/registration',
  summary: "Remove the workspace's own app registration",
  description: 'Credentials that were connected by it can no longer be renewed.',
  tag,
  access: { resource: 'connector', action: 'update' },
  effect: 'write',
  params: Id,
  audit: 'configuration_change',
  async run({ db, caller: { workspaceId } }, { params: { id } }) {
    const where = { workspaceId, connectorId: seen(id).id };
    const { count } = await db.connectorRegistration.deleteMany({ where });
    if (count === 0) throw notFound('The registration');
  },
});

export const connectors = [list, register, unregister];
