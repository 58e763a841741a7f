import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../choices';

// https://shopify.dev/docs/api/admin-graphql/latest/queries/collections: the REST API lists manual and automatic
// collections apart from each other.
const COLLECTIONS_QUERY =
  'query($after: String, $query: String) { collections(first: 100, after: $after, query: $query) { nodes { legacyResourceId title handle } pageInfo { hasNextPage endCursor } } }';

/** What lists the choices of Shopify. https://shopify.dev/docs/api/admin-rest */
export const shopifyChoices: Record<string, ConnectorChoiceSource> = {
  orders: {
    operation: 'orders.list',
    parameters: { status: 'any', limit: 100 },
    value: 'id',
    label: ['name'],
    hint: 'email',
  },
  products: { operation: 'products.list', parameters: { limit: 100 }, value: 'id', label: ['title'], hint: 'vendor' },
  vendors: { operation: 'products.list', parameters: { limit: 250 }, value: 'vendor', label: ['vendor'] },
  product_types: {
    operation: 'products.list',
    parameters: { limit: 250 },
    value: 'product_type',
    label: ['product_type'],
  },
  locations: { operation: 'locations.list', value: 'id', label: ['name'], hint: 'city' },
  collections: {
    searches: true,
    *steps({ search, page }) {
      const words = search.replaceAll(/["\\]/g, ' ').trim();
      const variables = { after: page, query: words === '' ? null : `title:"${words}*"` };
      const value = { query: COLLECTIONS_QUERY, variables };
      const { body } = yield { method: 'POST', path: '/graphql.json', body: { as: 'json', value } };
      const nodes = getAtPath(body, 'data.collections.nodes');
      const end = getAtPath(body, 'data.collections.pageInfo.endCursor');
      const hasNext = getAtPath(body, 'data.collections.pageInfo.hasNextPage') === true;
      return {
        items: Array.isArray(nodes) ? (nodes as unknown[]) : [],
        next: hasNext && typeof end === 'string' ? end : null,
      };
    },
    value: 'legacyResourceId',
    label: ['title'],
    hint: 'handle',
  },
};
