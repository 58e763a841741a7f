import { ListNodeTypesResponse } from '@/contract/workflows/node-type';
import { PaginationQuery } from '@/contract/text';
import { defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { listPublicNodeTypes } from '@/server/workflow/nodes';

const listNodeTypesOperation = defineOperation({
  id: 'nodeTypes.list',
  method: 'GET',
  path: '/api/node-types',
  summary: 'List the node types',
  description: 'With their ports and the JSON Schema of their config.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListNodeTypesResponse),
  async run(_call, { query: { limit, offset } }) {
    const all = listPublicNodeTypes();
    return { data: all.slice(offset, offset + limit), total: all.length, limit, offset };
  },
});

export const nodeTypeOperations = [listNodeTypesOperation];
