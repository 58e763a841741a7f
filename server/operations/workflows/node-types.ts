import { NodeTypePage } from '@/contract/workflows/node-type';
import { PageQuery } from '@/contract/text';
import { operation, signedInAccess } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { catalogue } from '@/server/nodes';

const list = operation({
  id: 'nodeTypes.list',
  method: 'GET',
  path: '/api/node-types',
  summary: 'List the node types',
  description: 'With their ports and the JSON Schema of their config.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(NodeTypePage),
  async run(_call, { query: { limit, offset } }) {
    const all = catalogue();
    return { data: all.slice(offset, offset + limit), total: all.length, limit, offset };
  },
});

export const nodeTypes = [list];
