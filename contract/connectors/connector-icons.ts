/** Providers whose services have icons of their own, with the ids of these services. */
const SERVICES_WITH_ICONS: Readonly<Record<string, readonly string[]>> = {
  google: ['sheets', 'gmail', 'drive', 'calendar', 'docs'],
};

/** The icon of a connector. Those of workspaces share one. */
export const connectorIconPath = (connectorId: string): string =>
  `/connectors/${connectorId.startsWith('conn_') ? 'openapi' : connectorId}.svg`;

/** The icon of a service of a provider. */
export const serviceIconPath = (connectorId: string, serviceId: string): string =>
  `/connectors/${connectorId}_${serviceId}.svg`;

/** The icon of an operation is that of its service if the provider has several services, else that of the connector. */
export function operationIconPath(connectorId: string, operation: unknown): string {
  const [service = ''] = typeof operation === 'string' ? operation.split('.') : [];
  const hasOwn = SERVICES_WITH_ICONS[connectorId]?.includes(service) ?? false;
  return hasOwn ? serviceIconPath(connectorId, service) : connectorIconPath(connectorId);
}
