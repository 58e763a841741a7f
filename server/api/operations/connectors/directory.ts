import { ListDirectoryResponse, ListDirectoryQuery } from '@/contract/connectors/directory';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { findDirectoryServices, toDirectoryService } from '@/server/connectors/directory/directory';

const listServicesOperation = defineOperation({
  id: 'connectors.directory',
  method: 'GET',
  path: '/api/connectors/directory',
  summary: 'List services that can be added as connectors',
  description:
    'Well-known services with the addresses of their OpenAPI documents, by name. `POST /api/connectors` with `url` as ' +
    '`openapi`, and with `server` if it is not null, adds one.',
  tag: 'Connectors',
  access: memberAccess('connector', 'read'),
  effect: readEffect(),
  query: ListDirectoryQuery,
  reply: jsonReply(ListDirectoryResponse),
  async run({ db, caller: { workspaceId } }, { query: { search, category, limit, offset } }) {
    const found = findDirectoryServices(search, category);
    const shown = found.slice(offset, offset + limit);
    const added = await db.connector.findMany({
      where: { workspaceId, sourceUrl: { in: shown.map(({ url }) => url) } },
      select: { id: true, sourceUrl: true },
      orderBy: { createdAt: 'asc' },
    });
    const connectorIds = new Map(added.map(({ id, sourceUrl }) => [sourceUrl, id]));
    const data = shown.map((service) => toDirectoryService(service, connectorIds.get(service.url) ?? null));
    return { data, total: found.length, limit, offset };
  },
});

export const connectorDirectoryOperations = [listServicesOperation];
