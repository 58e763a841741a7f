import type { DirectoryService } from '@/contract/connectors/directory';
import { SERVICE_CATEGORIES, type ServiceCategory } from '@/contract/connectors/service-categories';
import services from './services.json' with { type: 'json' };

/** A record of `services.json`. */
export interface ServiceRecord {
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
  /** Name of the file in `public/services`. */
  icon?: string;
}

/** Well-known services with an OpenAPI document that `server/openapi` reads, by name. */
export const directory = services as readonly ServiceRecord[];

const byUrl = new Map(directory.map((service) => [service.url, service]));

const iconOf = ({ icon }: ServiceRecord): string => (icon ? `/services/${icon}.svg` : '/connectors/openapi.svg');

/** The icon of the service that a document belongs to; undefined: it is not in the directory. */
export function documentIcon(url: string | null): string | undefined {
  const service = url === null ? undefined : byUrl.get(url);
  return service && iconOf(service);
}

const wordsOf = ({ name, category, keywords }: ServiceRecord): string =>
  [name, SERVICE_CATEGORIES[category], ...keywords].join(' ').toLowerCase();

/** The services of a category (undefined: any) that have every word of a search. Those whose name has them all come first. */
export function findServices(search = '', category?: ServiceCategory): ServiceRecord[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const found = directory.filter(
    (service) => (category === undefined || service.category === category) && hasAll(wordsOf(service)),
  );
  const isNamed = ({ name }: ServiceRecord) => hasAll(name.toLowerCase());
  return [...found.filter(isNamed), ...found.filter((service) => !isNamed(service))];
}

/** A service as the API shows it. `connectorId`: the connector that the workspace has made of it. */
export const presentService = (service: ServiceRecord, connectorId: string | null): DirectoryService => ({
  id: service.id,
  name: service.name,
  category: service.category,
  keywords: [...service.keywords],
  url: service.url,
  server: service.server ?? null,
  icon: iconOf(service),
  connectorId,
});
