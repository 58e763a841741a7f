import type { DirectoryService } from '@/contract/connectors/directory';
import { SERVICE_CATEGORIES, type ServiceCategory } from '@/contract/connectors/service-categories';
import services from './services.json' with { type: 'json' };

/** A record of `services.json`. */
export interface DirectoryRecord {
  /** Words of a-z and 0-9, joined by `-`. */
  id: string;
  name: string;
  category: ServiceCategory;
  /** What people type, besides the name. */
  keywords: readonly string[];
  /** Address of the OpenAPI document. */
  url: string;
  /** Base address of the API, where the first server of the document is none that can be used, or one for tests. */
  server?: string;
  /** Its document has no other security scheme than OAuth 2.0 in the name of a person. Absent: this is not known. */
  needsAppRegistration?: true;
  /** Name of the file in `public/services`. */
  icon?: string;
}

/** Well-known services with an OpenAPI document that `server/evaluation/openapi` reads, by name. */
export const SERVICE_DIRECTORY = services as readonly DirectoryRecord[];

const serviceByDocumentUrl = new Map(SERVICE_DIRECTORY.map((service) => [service.url, service]));

const serviceIconUrl = ({ icon }: DirectoryRecord): string =>
  icon ? `/services/${icon}.svg` : '/connectors/openapi.svg';

/** The icon of the service that a document belongs to; undefined: it is not in the directory. */
export function findDocumentIcon(url: string | null): string | undefined {
  const service = url === null ? undefined : serviceByDocumentUrl.get(url);
  return service && serviceIconUrl(service);
}

const serviceSearchText = ({ name, category, keywords }: DirectoryRecord): string =>
  [name, SERVICE_CATEGORIES[category], ...keywords].join(' ').toLowerCase();

/**
 * The services of a category (undefined: any) that have every word of a search. Those whose name has them all come
 * first.
 */
export function findDirectoryServices(search = '', category?: ServiceCategory): DirectoryRecord[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const found = SERVICE_DIRECTORY.filter(
    (service) => (category === undefined || service.category === category) && hasAll(serviceSearchText(service)),
  );
  const isNamed = ({ name }: DirectoryRecord) => hasAll(name.toLowerCase());
  return [...found.filter(isNamed), ...found.filter((service) => !isNamed(service))];
}

/** Converts a service for the response of the API. `connectorId` is the connector that the workspace has made of it. */
export const toDirectoryService = (service: DirectoryRecord, connectorId: string | null): DirectoryService => ({
  id: service.id,
  name: service.name,
  category: service.category,
  keywords: [...service.keywords],
  url: service.url,
  server: service.server ?? null,
  needsAppRegistration: service.needsAppRegistration === true,
  icon: serviceIconUrl(service),
  connectorId,
});
