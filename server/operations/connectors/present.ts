import type { Connector as Listed, ConnectorOperation as ListedOperation } from '@/contract/connectors/connector';
import { connectorIcon, serviceIcon } from '@/contract/connectors/connector-icons';
import type { ConnectorPreview, OfferedOperation } from '@/contract/connectors/custom-connector';
import type { Connector as Row, ConnectorOperation as OperationRow } from '@/generated/prisma/client';
import { hasAddresses } from '@/server/connectors/authorization/registration';
import { operationsOf, requestOperation } from '@/server/connectors/catalogue';
import { tokenForm } from '@/server/connectors/config';
import type { Connector } from '@/server/connectors/connector';
import { customConnector } from '@/server/connectors/custom/connector';
import { documentIcon } from '@/server/connectors/directory/directory';
import { parametersSchema } from '@/server/connectors/custom/parameters';
import type { ApiFrame, ApiOperation, OperationSummary, ReadDocument } from '@/server/openapi/record';
import { runtime } from '@/server/runtime';

/** Which connectors have a registration: of the workspace, or any. */
export interface Registered {
  own: ReadonlySet<string>;
  ready: ReadonlySet<string>;
}

/** Without an authorization page and a fixed API address: every customer of this connector has different ones. */
export const needsAddresses = (connector: Connector): boolean => !hasAddresses(connector, {});

export function presentConnector(
  connector: Connector,
  { own, ready }: Registered,
  operations: ListedOperation[] = operationsOf(connector),
): Listed {
  const { id } = connector;
  return {
    id,
    name: connector.name,
    description: connector.description,
    synonyms: connector.synonyms ?? [],
    icon: connectorIcon(id),
    flow: connector.flow,
    token: tokenForm(connector),
    services: (connector.services ?? []).map((service) => ({ ...service, icon: serviceIcon(id, service.id) })),
    scopes: Object.keys(connector.scopes),
    optionalScopes: Object.keys(connector.optionalScopes ?? {}),
    additionalParams: (connector.parameters ?? []).map(({ name, required, title, hint }) => ({
      name,
      required,
      title,
      description: hint,
    })),
    operations,
    configured: connector.flow === 'token' || ready.has(id),
    registration: own.has(id) ? 'workspace' : ready.has(id) ? 'service' : null,
    needsAddresses: connector.flow !== 'token' && needsAddresses(connector),
    redirectUri: runtime().env.oauthRedirectUrl,
    setup: connector.setup,
    needsCredential: connector.custom?.needsCredential ?? true,
    isCustom: connector.custom !== undefined,
    source: null,
  };
}

/** A connector of a workspace with these operations, and the call of any address. */
export function presentCustom(row: Row, operations: ListedOperation[], registered: Registered): Listed {
  const connector = customConnector(row);
  const presented = presentConnector(connector, registered, [...operations, requestOperation(connector)]);
  return {
    ...presented,
    icon: documentIcon(row.sourceUrl) ?? presented.icon,
    source: {
      url: row.sourceUrl,
      documentVersion: row.documentVersion,
      server: (row.frame as unknown as ApiFrame).server,
      version: row.version,
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    },
  };
}

/** What lists say about an operation. */
type Brief = Pick<OperationRow, 'operation' | 'title' | 'help' | 'grouping' | 'isRemoved'>;

export const presentBrief = ({ operation, title, help, grouping, isRemoved }: Brief): ListedOperation => ({
  id: operation,
  title,
  description: help,
  limits: null,
  poll: null,
  group: grouping,
  ...(isRemoved ? { isRemoved } : {}),
});

export function presentOperation(row: OperationRow): ListedOperation {
  const record = row.record as unknown as ApiOperation;
  return {
    ...presentBrief(row),
    method: record.method,
    path: record.path,
    parameters: parametersSchema(record),
    ...(record.example === undefined ? {} : { example: record.example }),
    ...(record.isPublic ? { isPublic: true } : {}),
    ...(record.isDeprecated ? { isDeprecated: true } : {}),
  };
}

export const presentSummary = ({ help, ...summary }: OperationSummary): OfferedOperation => ({
  ...summary,
  description: help,
});

export function presentPreview(document: ReadDocument): ConnectorPreview {
  const { title, description, version, frame, servers, notes, offered, skipped } = document;
  const { isRequired, token, oauth } = frame.authentication;
  return {
    title,
    description,
    documentVersion: version,
    server: frame.server,
    servers,
    authentication: { isRequired, token: token?.title ?? null, oauth: oauth?.flow ?? null },
    notes,
    operations: offered.map(presentSummary),
    skipped,
  };
}
