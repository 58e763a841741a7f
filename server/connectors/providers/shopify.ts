import type { ConnectorDefinition } from '../connector';
import { choiceParameter, countParameter, jsonObjectParameter, timeParameter, lineParameter } from '../parameters';

const shopifyPageSize = countParameter('Items a page', 250);

export const shopifyConnector: ConnectorDefinition = {
  id: 'shopify',
  name: 'Shopify',
  description: 'Products, orders and customers of a shop.',
  synonyms: ['shop', 'store', 'ecommerce', 'orders'],
  flow: 'authorization_code',
  // https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
  authorizeUrl: 'https://{shop}/admin/oauth/authorize',
  tokenUrl: 'https://{shop}/admin/oauth/access_token',
  // https://shopify.dev/docs/api/usage/versioning: a version that has ended is answered by the oldest supported one.
  apiUrl: 'https://{shop}/admin/api/2026-07',
  // https://shopify.dev/docs/api/usage/access-scopes
  scopes: { read_products: 'read_products', write_products: 'write_products', read_orders: 'read_orders' },
  optionalScopes: {
    write_orders: 'write_orders',
    read_customers: 'read_customers',
    write_customers: 'write_customers',
  },
  scopeSeparator: ',',
  parameters: [
    {
      name: 'shop',
      title: 'Shop',
      hint: 'your-shop.myshopify.com',
      required: true,
      pattern: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.myshopify\.com$/i,
      rule: 'must be a bare host such as your-shop.myshopify.com',
    },
  ],
  // https://shopify.dev/changelog/offline-access-tokens-now-support-expiry-and-refresh: tokens of an hour with a
  // refresh token that changes at every use; without `expiring` they would never end.
  exchangeParams: { expiring: '1' },
  clientAuthentication: 'form',
  // https://shopify.dev/docs/api/admin-rest#authentication
  tokenHeader: 'X-Shopify-Access-Token',
  setup:
    'In the Dev Dashboard open your app, add the redirect URL under "Allowed redirection URL(s)" and copy client id and secret.',
  probe: { path: '/shop.json' },
  operations: [
    {
      id: 'orders.list',
      title: 'List orders',
      method: 'GET',
      path: '/orders.json',
      inQuery: {
        status: choiceParameter('Status', ['open', 'closed', 'cancelled', 'any']).optional(),
        createdAfter: timeParameter('Created after').optional(),
        limit: shopifyPageSize.optional(),
      },
      names: { createdAfter: 'created_at_min' },
      items: 'orders',
      // https://shopify.dev/docs/api/admin-rest/usage/pagination
      paging: { kind: 'link' },
    },
    {
      id: 'orders.get',
      title: 'Get an order',
      method: 'GET',
      path: '/orders/{orderId}.json',
      inPath: { orderId: lineParameter('Order id') },
    },
    {
      id: 'orders.update',
      title: 'Update an order',
      method: 'PUT',
      path: '/orders/{orderId}.json',
      inPath: { orderId: lineParameter('Order id') },
      inBody: {
        note: lineParameter('Note', 5000).optional(),
        tags: lineParameter('Tags, parted by commas').optional(),
        email: lineParameter('Email').optional(),
      },
      wrap: 'order',
    },
    {
      id: 'products.list',
      title: 'List products',
      method: 'GET',
      path: '/products.json',
      inQuery: {
        title: lineParameter('Title').optional(),
        vendor: lineParameter('Vendor').optional(),
        limit: shopifyPageSize.optional(),
      },
      items: 'products',
      paging: { kind: 'link' },
    },
    {
      id: 'products.get',
      title: 'Get a product',
      method: 'GET',
      path: '/products/{productId}.json',
      inPath: { productId: lineParameter('Product id') },
    },
    {
      id: 'products.create',
      title: 'Create a product',
      method: 'POST',
      path: '/products.json',
      inBody: {
        title: lineParameter('Title'),
        description: lineParameter('Description (HTML)', 50_000).optional(),
        vendor: lineParameter('Vendor').optional(),
        productType: lineParameter('Type').optional(),
        status: choiceParameter('Status', ['active', 'draft', 'archived']).optional(),
      },
      names: { description: 'body_html', productType: 'product_type' },
      wrap: 'product',
    },
    {
      id: 'products.update',
      title: 'Update a product',
      method: 'PUT',
      path: '/products/{productId}.json',
      inPath: { productId: lineParameter('Product id') },
      inBody: {
        title: lineParameter('Title').optional(),
        status: choiceParameter('Status', ['active', 'draft', 'archived']).optional(),
      },
      wrap: 'product',
    },
    {
      id: 'customers.search',
      title: 'Search customers',
      method: 'GET',
      path: '/customers/search.json',
      inQuery: { query: lineParameter('Search, e.g. email:ada@example.com'), limit: shopifyPageSize.optional() },
      items: 'customers',
      paging: { kind: 'link' },
    },
    {
      id: 'graphql.run',
      title: 'Run a GraphQL query',
      method: 'POST',
      path: '/graphql.json',
      inBody: {
        query: lineParameter('Query or mutation', 100_000),
        variables: jsonObjectParameter('Variables').optional(),
      },
    },
  ],
};
