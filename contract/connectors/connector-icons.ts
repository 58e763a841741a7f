/**
 * Providers with several services: which operations belong to a service, by the first part of their ids. Services have
 * icons of their own.
 */
const SERVICE_OPERATION_GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  google: {
    sheets: ['sheets'],
    gmail: ['gmail'],
    drive: ['drive'],
    calendar: ['calendar'],
    docs: ['docs'],
  },
  microsoft_graph: {
    outlook: ['messages', 'attachments', 'mail_folders', 'categories', 'contacts', 'calendars', 'events'],
    teams: ['teams', 'channels', 'channel_messages', 'chats', 'chat_messages'],
    onedrive: ['files', 'folders', 'drives'],
    sharepoint: ['sites', 'libraries', 'documents', 'library_folders', 'lists', 'list_items'],
    excel: ['workbooks', 'worksheets', 'tables'],
    people: ['me', 'users'],
  },
};

/** The first parts of the ids of the operations of a service. */
export const listOperationGroups = (connectorId: string, serviceId: string): string[] => [
  ...(SERVICE_OPERATION_GROUPS[connectorId]?.[serviceId] ?? []),
];

/** The service that an operation belongs to; undefined: the provider has no services, or none has the operation. */
export function findOperationServiceId(connectorId: string, operation: unknown): string | undefined {
  const services = Object.hasOwn(SERVICE_OPERATION_GROUPS, connectorId)
    ? SERVICE_OPERATION_GROUPS[connectorId]
    : undefined;
  if (typeof operation !== 'string' || !services) return undefined;
  const [group = ''] = operation.split('.');
  return Object.keys(services).find((service) => services[service]?.includes(group));
}

/** The icon of a connector. Those of workspaces share one. */
export const connectorIconPath = (connectorId: string): string =>
  `/connectors/${connectorId.startsWith('conn_') ? 'openapi' : connectorId}.svg`;

/** The icon of a service of a provider. */
export const serviceIconPath = (connectorId: string, serviceId: string): string =>
  `/connectors/${connectorId}_${serviceId}.svg`;

/** The icon of an operation is that of its service if the provider has several services, else that of the connector. */
export function operationIconPath(connectorId: string, operation: unknown): string {
  const service = findOperationServiceId(connectorId, operation);
  return service === undefined ? connectorIconPath(connectorId) : serviceIconPath(connectorId, service);
}
