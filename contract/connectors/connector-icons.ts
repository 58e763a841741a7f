/** Providers whose services have icons of their own, with the ids of these services. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  google: ['sheets', 'gmail', 'drive', 'calendar', 'docs'],
};

/** The icon of a connector. Those of workspaces share one. */
export const connectorIcon = (connectorId: string): string =>
  `/connectors/${connectorId.startsWith('conn_') ? 'openapi' : connectorId}.svg`;

/** The icon of a service of a provider. */
export const serviceIcon = (connectorId: string, serviceId: string): string =>
  `/connectors/${connectorId}_${serviceId}.svg`;

/** The icon of what an operation calls: of its service, if the provider has several. */
export function operationIcon(connectorId: string, operation: unknown): string {
  const [service = ''] = typeof operation === 'string' ? operation.split('.') : [];
  const hasOwn = SERVICES[connectorId]?.includes(service) ?? false;
  return hasOwn ? serviceIcon(connectorId, service) : connectorIcon(connectorId);
}
