import type { ConnectorDefinition } from '../connector';
import {
  choiceParameter,
  contentLineParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  timeParameter,
  valueLineParameter,
} from '../parameters';
import { shopifyChoices } from './shopify-choices';
import { shopifySubscriptions } from '../subscriptions/shopify';

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
    read_inventory: 'read_inventory',
    read_locations: 'read_locations',
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
  // Two calls a second; more on the plans Advanced and Plus.
  limits: { perMinute: 120, source: 'https://shopify.dev/docs/api/admin-rest/usage/rate-limits' },
  choices: shopifyChoices,
  subscriptions: shopifySubscriptions,
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
      example: { orders: [{ id: 450_789_469, name: '#1001', email: 'ada@example.com', financial_status: 'paid' }] },
      // https://shopify.dev/docs/api/admin-rest/usage/pagination
      paging: { kind: 'link' },
    },
    {
      id: 'orders.get',
      title: 'Get an order',
      method: 'GET',
      path: '/orders/{orderId}.json',
      inPath: { orderId: listedLineParameter('Order id', 'orders') },
    },
    {
      id: 'orders.update',
      title: 'Update an order',
      method: 'PUT',
      path: '/orders/{orderId}.json',
      inPath: { orderId: listedLineParameter('Order id', 'orders') },
      inBody: {
        note: contentLineParameter('Note', 5000).optional(),
        tags: contentLineParameter('Tags, parted by commas').optional(),
        email: valueLineParameter('Email', 'address').optional(),
      },
      wrap: 'order',
    },
    {
      id: 'products.list',
      title: 'List products',
      method: 'GET',
      path: '/products.json',
      inQuery: {
        title: valueLineParameter('Title', 'search').optional(),
        vendor: listedLineParameter('Vendor', 'vendors').optional(),
        collection: listedLineParameter('Collection', 'collections').optional(),
        limit: shopifyPageSize.optional(),
      },
      names: { collection: 'collection_id' },
      items: 'products',
      example: {
        products: [{ id: 632_910_392, title: 'Tea', vendor: 'Acme', product_type: 'Drinks', status: 'active' }],
      },
      paging: { kind: 'link' },
    },
    {
      id: 'products.get',
      title: 'Get a product',
      method: 'GET',
      path: '/products/{productId}.json',
      inPath: { productId: listedLineParameter('Product id', 'products') },
    },
    {
      id: 'products.create',
      title: 'Create a product',
      method: 'POST',
      path: '/products.json',
      inBody: {
        title: contentLineParameter('Title'),
        description: contentLineParameter('Description (HTML)', 50_000).optional(),
        vendor: listedLineParameter('Vendor', 'vendors').optional(),
        productType: listedLineParameter('Type', 'product_types').optional(),
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
      inPath: { productId: listedLineParameter('Product id', 'products') },
      inBody: {
        title: contentLineParameter('Title').optional(),
        status: choiceParameter('Status', ['active', 'draft', 'archived']).optional(),
      },
      wrap: 'product',
    },
    {
      id: 'customers.search',
      title: 'Search customers',
      method: 'GET',
      path: '/customers/search.json',
      inQuery: {
        query: valueLineParameter('Search, e.g. email:ada@example.com', 'query'),
        limit: shopifyPageSize.optional(),
      },
      items: 'customers',
      paging: { kind: 'link' },
    },
    {
      id: 'locations.list',
      title: 'List locations',
      help: 'Shops and warehouses. Needs read_locations.',
      method: 'GET',
      path: '/locations.json',
      items: 'locations',
      example: { locations: [{ id: 655_441_491, name: 'Main street', city: 'Berlin', active: true }] },
    },
    {
      id: 'inventory.list',
      title: 'List the stock of a location',
      help: 'Pieces of each item. Needs read_inventory.',
      method: 'GET',
      path: '/inventory_levels.json',
      inQuery: { location: listedLineParameter('Location', 'locations'), limit: shopifyPageSize.optional() },
      names: { location: 'location_ids' },
      items: 'inventory_levels',
      paging: { kind: 'link' },
      example: { inventory_levels: [{ inventory_item_id: 808_950_810, location_id: 655_441_491, available: 9 }] },
    },
    {
      id: 'graphql.run',
      title: 'Run a GraphQL query',
      method: 'POST',
      path: '/graphql.json',
      inBody: {
        query: valueLineParameter('Query or mutation', 'query', 100_000),
        variables: jsonObjectParameter('Variables').optional(),
      },
    },
  ],
};
