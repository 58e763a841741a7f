import { HOST_NAME_RULE, HOST_NAME_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  booleanParameter,
  columnRowsParameter,
  choiceParameter,
  contentLineParameter,
  countParameter,
  listedParameter,
  multilineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import { woocommerceChoices } from './woocommerce-choices';
import { woocommerceSubscriptions } from '../../subscriptions/woocommerce';

// https://woocommerce.github.io/woocommerce-rest-api-docs/
const woocommerceLinkPaging: ConnectorPaging = { kind: 'link' };
const woocommerceOrderNumber = listedParameter(countParameter('Order', 2 ** 31), 'orders').describe(
  'Number of the order',
);
const woocommerceProductId = listedParameter(countParameter('Product', 2 ** 31), 'products').describe(
  'Id of the product',
);
const woocommercePageSize = countParameter('Items a page', 100).optional().describe('At most 100; default 10');
const woocommerceParameterNames = {
  limit: 'per_page',
  price: 'regular_price',
  stock: 'stock_quantity',
  note: 'customer_note',
};
const orderStatusChoice = choiceParameter('Status', [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
]);
const productDetailFields = {
  price: valueLineParameter('Price', 'quantity', 20).optional().describe('e.g. 19.99'),
  description: multilineParameter('Description', 1_000_000).optional().describe('HTML'),
  sku: contentLineParameter('SKU', 100).optional().describe('Number of the article'),
  stock: countParameter('Stock', 1_000_000_000).optional().describe('Pieces in stock'),
};
const woocommerceRateLimit = 'Those of the server that it runs on.';
const woocommerceOrderExample = {
  id: 727,
  number: '727',
  status: 'processing',
  total: '29.35',
  currency: 'EUR',
  date_created: '2026-01-31T08:15:30',
  billing: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
};

export const woocommerceConnector: ConnectorDefinition = {
  id: 'woocommerce',
  name: 'WooCommerce',
  description: 'Orders, products and customers of a shop.',
  synonyms: ['shop', 'store', 'e-commerce', 'ecommerce', 'order', 'product', 'wordpress'],
  flow: 'token',
  apiUrl: 'https://{host}/wp-json/wc/v3',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host',
      hint: 'e.g. shop.example.com',
      required: true,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
    },
  ],
  token: {
    title: 'REST API key',
    setup:
      'In WordPress open "WooCommerce" > "Settings" > "Advanced" > "REST API" and add a key with the permission Read/Write. The site must use https.',
    fields: [
      {
        name: 'key',
        title: 'Consumer key',
        hint: 'Begins with ck_',
        isSecret: true,
        pattern: /^ck_\w{10,100}$/,
        rule: 'must be a consumer key, such as ck_…',
      },
      {
        name: 'token',
        title: 'Consumer secret',
        hint: 'Begins with cs_',
        isSecret: true,
        pattern: /^cs_\w{10,100}$/,
        rule: 'must be a consumer secret, such as cs_…',
      },
    ],
    basic: { username: '{key}', password: '{token}' },
  },
  setup: 'Nothing has to be registered: a shop has keys of its own.',
  probe: { path: '/orders?per_page=1' },
  choices: woocommerceChoices,
  subscriptions: woocommerceSubscriptions,
  operations: [
    {
      id: 'orders.list',
      title: 'List orders',
      help: 'Newest first.',
      limits: woocommerceRateLimit,
      method: 'GET',
      path: '/orders',
      inQuery: {
        status: orderStatusChoice.optional().describe('Only with this status'),
        after: valueLineParameter('After', 'quantity', 64).optional().describe('Created after this time, ISO 8601'),
        limit: woocommercePageSize,
      },
      names: woocommerceParameterNames,
      items: '',
      paging: woocommerceLinkPaging,
      example: [woocommerceOrderExample],
      poll: {
        title: 'New order',
        words: 'woocommerce trigger order created shop purchase',
        parameters: { after: '{{ cursor }}', limit: 100 },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.date_created)[-1]',
      },
    },
    {
      id: 'orders.get',
      title: 'Get an order',
      help: 'With its lines and addresses.',
      limits: woocommerceRateLimit,
      method: 'GET',
      path: '/orders/{order}',
      inPath: { order: woocommerceOrderNumber },
      example: woocommerceOrderExample,
    },
    defineSteppedOperation({
      id: 'orders.create',
      title: 'Create an order',
      help: 'With lines and an address.',
      limits: woocommerceRateLimit,
      parameters: {
        product: woocommerceProductId.optional().describe('Id of a product, for an order of one line'),
        quantity: countParameter('Quantity', 1_000_000).optional().describe('Of this product; default 1'),
        lines: columnRowsParameter('Lines', 'lineColumns')
          .optional()
          .describe('Further lines, each with a product and its quantity'),
        billing: someColumnsParameter('Billing address', 'billingColumns')
          .optional()
          .describe('Name, address and email'),
        status: orderStatusChoice.optional().describe('Default pending'),
        isPaid: booleanParameter('Paid').optional().describe('Marks it as paid'),
      },
      *steps({ product, quantity = 1, lines = [], billing, status, isPaid }) {
        const first = product === undefined ? [] : [{ product_id: product, quantity }];
        const value = { line_items: [...first, ...lines], billing, status, set_paid: isPaid };
        return (yield { method: 'POST', path: '/orders', body: { as: 'json', value } }).body;
      },
      example: woocommerceOrderExample,
    }),
    {
      id: 'orders.update',
      title: 'Update an order',
      help: 'Its status or the note of the customer.',
      limits: woocommerceRateLimit,
      method: 'PUT',
      path: '/orders/{order}',
      inPath: { order: woocommerceOrderNumber },
      inBody: {
        status: orderStatusChoice.optional().describe('The new status'),
        note: multilineParameter('Note', 10_000).optional().describe('Note of the customer'),
      },
      names: woocommerceParameterNames,
      example: { ...woocommerceOrderExample, status: 'completed' },
    },
    {
      id: 'notes.create',
      title: 'Add a note to an order',
      help: 'Internal, or mailed to the customer.',
      limits: woocommerceRateLimit,
      method: 'POST',
      path: '/orders/{order}/notes',
      inPath: { order: woocommerceOrderNumber },
      inBody: {
        text: multilineParameter('Note', 10_000).describe('Plain text'),
        isForCustomer: booleanParameter('To the customer').optional().describe('Mails it'),
      },
      names: { text: 'note', isForCustomer: 'customer_note' },
      example: { id: 281, note: 'Sent' },
    },
    {
      id: 'products.list',
      title: 'List products',
      help: 'By a part of the name or the SKU.',
      limits: woocommerceRateLimit,
      method: 'GET',
      path: '/products',
      inQuery: {
        search: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
        sku: productDetailFields.sku,
        category: listedParameter(countParameter('Category', 2 ** 31), 'categories')
          .optional()
          .describe('Only products of this category'),
        limit: woocommercePageSize,
      },
      names: woocommerceParameterNames,
      items: '',
      paging: woocommerceLinkPaging,
      example: [{ id: 794, name: 'Tea', sku: 'T-1', price: '19.99', stock_quantity: 7 }],
    },
    {
      id: 'products.create',
      title: 'Create a product',
      help: 'A simple product.',
      limits: woocommerceRateLimit,
      method: 'POST',
      path: '/products',
      inBody: { name: contentLineParameter('Name', 500).describe('Of the product'), ...productDetailFields },
      names: woocommerceParameterNames,
      example: { id: 794, name: 'Tea', price: '19.99' },
    },
    {
      id: 'products.update',
      title: 'Update a product',
      help: 'Price, stock or text.',
      limits: woocommerceRateLimit,
      method: 'PUT',
      path: '/products/{product}',
      inPath: { product: woocommerceProductId },
      inBody: { name: contentLineParameter('Name', 500).optional().describe('Of the product'), ...productDetailFields },
      names: woocommerceParameterNames,
      example: { id: 794, name: 'Tea', price: '19.99' },
    },
    {
      id: 'categories.list',
      title: 'List categories of products',
      help: 'With their ids.',
      limits: woocommerceRateLimit,
      method: 'GET',
      path: '/products/categories',
      inQuery: {
        search: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
        limit: woocommercePageSize,
      },
      names: woocommerceParameterNames,
      items: '',
      paging: woocommerceLinkPaging,
      example: [{ id: 9, name: 'Drinks', slug: 'drinks', count: 36 }],
    },
    {
      id: 'customers.list',
      title: 'List customers',
      help: 'By email address or name.',
      limits: woocommerceRateLimit,
      method: 'GET',
      path: '/customers',
      inQuery: {
        email: valueLineParameter('Email address', 'address', 320).optional().describe('Of the customer'),
        search: valueLineParameter('Text', 'search', 200).optional().describe('A part of the name'),
        limit: woocommercePageSize,
      },
      names: woocommerceParameterNames,
      items: '',
      paging: woocommerceLinkPaging,
      example: [{ id: 25, email: 'ada@example.com', first_name: 'Ada' }],
    },
  ],
};
