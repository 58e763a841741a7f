import type {
  ConnectorResponse as Listed,
  ConnectorOperationInfo as ListedOperation,
} from '@/contract/connectors/connector';
import { connectorIconPath, listOperationGroups, serviceIconPath } from '@/contract/connectors/connector-icons';
import type { ConnectorPreview, OfferedOperation } from '@/contract/connectors/custom-connector';
import type { Connector as Row, ConnectorOperation as OperationRow } from '@/generated/prisma/client';
import { hasTokenAndApiUrl } from '@/server/connectors/authorization/registration';
import { describeEvents, describeOperations, describeRequestOperation } from '@/server/connectors/catalogue';
import { describeTokenForm } from '@/server/connectors/config';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { toCustomConnector } from '@/server/connectors/custom/connector';
import { findDocumentIcon } from '@/server/connectors/directory/directory';
import { parametersJsonSchema } from '@/server/connectors/custom/parameters';
import type {
  ApiConnection,
  ApiOperation,
  OperationSummary,
  CompiledDocument,
} from '@/server/evaluation/openapi/record';
import { getRuntime } from '@/server/platform/runtime';

/** Ids of the connectors that have a registration: `own` of the workspace, `ready` of the workspace or the service. */
export interface RegisteredConnectorIds {
  own: ReadonlySet<string>;
  ready: ReadonlySet<string>;
}

/**
 * Whether each customer has addresses of their own, because the connector has no common authorization page or API
 * address.
 */
export const needsOwnAddresses = (connector: ConnectorDefinition): boolean => !hasTokenAndApiUrl(connector, {});

export function toConnectorResponse(
  connector: ConnectorDefinition,
  { own, ready }: RegisteredConnectorIds,
  operations: ListedOperation[] = describeOperations(connector),
): Listed {
  const { id } = connector;
  return {
    id,
    name: connector.name,
    description: connector.description,
    synonyms: connector.synonyms ?? [],
    icon: connectorIconPath(id),
    flow: connector.flow,
    token: describeTokenForm(connector),
    services: (connector.services ?? []).map((service) => ({
      id: service.id,
      name: service.name,
      description: service.description,
      synonyms: service.synonyms,
      icon: serviceIconPath(id, service.id),
      operationGroups: listOperationGroups(id, service.id),
    })),
    scopes: Object.keys(connector.scopes),
    optionalScopes: Object.keys(connector.optionalScopes ?? {}),
    additionalParams: (connector.parameters ?? []).map(({ name, required, title, hint }) => ({
      name,
      required,
      title,
      description: hint,
    })),
    operations,
    limits: connector.limits
      ? {
          perMinute: connector.limits.perMinute ?? null,
          concurrent: connector.limits.concurrent ?? null,
          source: connector.limits.source,
        }
      : null,
    events: describeEvents(connector).map(({ parameters: _parameters, example: _example, ...event }) => event),
    configured: connector.flow === 'token' || ready.has(id),
    registration: own.has(id) ? 'workspace' : ready.has(id) ? 'service' : null,
    needsAddresses: connector.flow !== 'token' && needsOwnAddresses(connector),
    redirectUri: getRuntime().env.oauthRedirectUrl,
    setup: connector.setup,
    needsCredential: connector.custom?.needsCredential ?? true,
    isCustom: connector.custom !== undefined,
    source: null,
  };
}

/** Adds the operation that calls any address to those of a workspace's connector. */
export function toCustomConnectorResponse(
  row: Row,
  operations: ListedOperation[],
  registered: RegisteredConnectorIds,
): Listed {
  const connector = toCustomConnector(row);
  const presented = toConnectorResponse(connector, registered, [...operations, describeRequestOperation(connector)]);
  return {
    ...presented,
    icon: findDocumentIcon(row.sourceUrl) ?? presented.icon,
    source: {
      url: row.sourceUrl,
      documentVersion: row.documentVersion,
      server: (row.frame as unknown as ApiConnection).server,
      version: row.version,
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    },
  };
}

/** The columns of an operation that lists show. */
type OperationBriefRow = Pick<OperationRow, 'operation' | 'title' | 'help' | 'grouping' | 'isRemoved'>;

export const toOperationBrief = ({
  operation,
  title,
  help,
  grouping,
  isRemoved,
}: OperationBriefRow): ListedOperation => ({
  id: operation,
  title,
  description: help,
  limits: null,
  poll: null,
  group: grouping,
  ...(isRemoved ? { isRemoved } : {}),
});

export function toConnectorOperation(row: OperationRow): ListedOperation {
  const record = row.record as unknown as ApiOperation;
  return {
    ...toOperationBrief(row),
    method: record.method,
    path: record.path,
    parameters: parametersJsonSchema(record),
    ...(record.example === undefined ? {} : { example: record.example }),
    ...(record.isPublic ? { isPublic: true } : {}),
    ...(record.isDeprecated ? { isDeprecated: true } : {}),
  };
}

export const toOfferedOperation = ({ help, ...summary }: OperationSummary): OfferedOperation => ({
  ...summary,
  description: help,
});

export function toConnectorPreview(document: CompiledDocument): ConnectorPreview {
  const { title, description, version, frame, servers, notes, needsAppRegistration, offered, skipped } = document;
  const { isRequired, token, oauth } = frame.authentication;
  return {
    title,
    description,
    documentVersion: version,
    server: frame.server,
    servers,
    authentication: { isRequired, token: token?.title ?? null, oauth: oauth?.flow ?? null },
    needsAppRegistration,
    notes,
    operations: offered.map(toOfferedOperation),
    skipped,
  };
}
