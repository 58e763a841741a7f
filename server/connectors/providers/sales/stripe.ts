import type { ConnectorDefinition } from '../../connector';
import { booleanParameter, choiceParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { stripeBillingOperations } from './stripe-billing';
import { stripeChoices } from './stripe-choices';
import {
  stripeAmount,
  stripeChargeExample,
  stripeContactFields,
  stripeCustomerId,
  stripeItemNames,
  stripeItems,
  stripePageSize,
  stripeRateLimit,
  stripeListOperation,
  stripeMetadata,
  stripeCustomerExample,
  checkoutSessionExample,
  stripeCreatedSince,
} from './stripe-parts';
import { stripeSubscriptions } from '../../subscriptions/stripe';

export const stripeConnector: ConnectorDefinition = {
  id: 'stripe',
  name: 'Stripe',
  description: 'Customers, payments, invoices and subscriptions.',
  synonyms: ['payment', 'payments', 'invoice', 'billing', 'checkout', 'subscription', 'credit card'],
  flow: 'token',
  apiUrl: 'https://api.stripe.com/v1',
  scopes: {},
  token: {
    title: 'Secret key',
    setup:
      'At dashboard.stripe.com/apikeys copy the secret key, or create a restricted key with the permissions that you need.',
    fields: [
      {
        name: 'token',
        title: 'Secret key',
        hint: 'Begins with sk_ or rk_',
        isSecret: true,
        pattern: /^[sr]k_(live|test)_\w{10,250}$/,
        rule: 'must be a secret or restricted key, such as sk_live_…',
      },
    ],
    headers: { Authorization: 'Bearer {token}' },
  },
  setup: 'Nothing has to be registered: an account has keys of its own.',
  probe: { path: '/balance' },
  // 25 calls a second in a sandbox; 100 with live data.
  limits: { perMinute: 1500, source: 'https://docs.stripe.com/rate-limits' },
  choices: stripeChoices,
  subscriptions: stripeSubscriptions,
  operations: [
    {
      ...stripeListOperation('customers.list', 'List customers', 'Newest first.', '/customers', stripeCustomerExample),
      inQuery: {
        email: valueLineParameter('Email address', 'address', 512)
          .optional()
          .describe('Only customers with this address'),
        since: stripeCreatedSince,
        limit: stripePageSize,
      },
    },
    {
      id: 'customers.get',
      title: 'Get a customer',
      help: 'Address, balance and metadata.',
      limits: stripeRateLimit,
      method: 'GET',
      path: '/customers/{customer}',
      inPath: { customer: stripeCustomerId },
      example: stripeCustomerExample,
    },
    {
      id: 'customers.create',
      title: 'Create a customer',
      help: 'With name, email address and metadata.',
      limits: stripeRateLimit,
      method: 'POST',
      path: '/customers',
      bodyAs: 'form',
      inBody: stripeContactFields,
      example: stripeCustomerExample,
    },
    {
      id: 'customers.update',
      title: 'Update a customer',
      help: 'Changes what is given.',
      limits: stripeRateLimit,
      method: 'POST',
      path: '/customers/{customer}',
      inPath: { customer: stripeCustomerId },
      bodyAs: 'form',
      inBody: stripeContactFields,
      example: stripeCustomerExample,
    },
    {
      id: 'customers.search',
      title: 'Search customers',
      help: 'By the query language of Stripe; new customers are found after about a minute.',
      limits: '20 searches a second.',
      method: 'GET',
      path: '/customers/search',
      inQuery: {
        query: valueLineParameter('Query', 'query', 2000).describe(
          "e.g. email:'ada@example.com' or metadata['order']:'42'",
        ),
        limit: stripePageSize,
      },
      items: 'data',
      paging: { kind: 'token', at: 'next_page', query: 'page' },
      example: { object: 'search_result', data: [stripeCustomerExample], has_more: false },
    },
    {
      ...stripeListOperation(
        'charges.list',
        'List payments',
        'Charges, newest first.',
        '/charges',
        stripeChargeExample,
      ),
      inQuery: { customer: stripeCustomerId.optional(), since: stripeCreatedSince, limit: stripePageSize },
      poll: {
        title: 'New payment',
        words: 'stripe trigger payment charge succeeded order',
        // The first poll remembers the payments of the last hour.
        parameters: { since: '{{ cursor ?? $floor($millis() / 1000) - 3600 }}', limit: 100, allPages: true },
        items: 'input.body',
        key: 'item.id',
        cursor: '$max(input.body.created)',
      },
    },
    {
      id: 'charges.get',
      title: 'Get a payment',
      help: 'A charge with its outcome.',
      limits: stripeRateLimit,
      method: 'GET',
      path: '/charges/{charge}',
      inPath: {
        charge: listedLineParameter('Payment', 'charges', [], 255).describe(
          'Id of the charge, e.g. ch_3MmlLrLkdIwHu7ix',
        ),
      },
      example: stripeChargeExample,
    },
    {
      id: 'refunds.create',
      title: 'Refund a payment',
      help: 'In full, or a part of it.',
      limits: stripeRateLimit,
      method: 'POST',
      path: '/refunds',
      bodyAs: 'form',
      inBody: {
        charge: listedLineParameter('Payment', 'charges', [], 255)
          .optional()
          .describe('Id of the charge; either this or the payment intent'),
        intent: listedLineParameter('Payment intent', 'payment_intents', [], 255)
          .optional()
          .describe('Id, e.g. pi_3MtwBwLkdIwHu7ix'),
        amount: stripeAmount('Amount').optional(),
        reason: choiceParameter('Reason', ['duplicate', 'fraudulent', 'requested_by_customer'])
          .optional()
          .describe('Shown in the dashboard'),
      },
      names: { intent: 'payment_intent' },
      example: { id: 're_1Nispe2eZvKYlo2C', object: 'refund', amount: 1999, status: 'succeeded' },
    },
    {
      id: 'checkout.create',
      title: 'Create a checkout page',
      help: 'Returns the address of a page where the customer pays.',
      limits: stripeRateLimit,
      method: 'POST',
      path: '/checkout/sessions',
      bodyAs: 'form',
      inBody: {
        ...stripeItems(100),
        mode: choiceParameter('Mode', ['payment', 'subscription', 'setup']).describe('payment: once'),
        successUrl: valueLineParameter('Address after payment', 'address', 2000).describe(
          'Where the customer is led afterwards',
        ),
        email: valueLineParameter('Email address', 'address', 512).optional().describe('Of the customer'),
        metadata: stripeMetadata,
      },
      names: { ...stripeItemNames, successUrl: 'success_url', email: 'customer_email' },
      example: checkoutSessionExample,
    },
    {
      id: 'payment_links.create',
      title: 'Create a payment link',
      help: 'An address that any number of customers can pay at.',
      limits: stripeRateLimit,
      method: 'POST',
      path: '/payment_links',
      bodyAs: 'form',
      inBody: {
        ...stripeItems(20),
        metadata: stripeMetadata,
      },
      names: stripeItemNames,
      example: { id: 'plink_1MoC3ULkdIwHu7ix', url: 'https://buy.stripe.com/test_cN25nr0iZ7bUa7meUY' },
    },
    ...stripeBillingOperations,
    stripeListOperation('products.list', 'List products', 'Newest first.', '/products', {
      id: 'prod_NWjs8kKbJWmuuc',
      name: 'Tea',
      active: true,
    }),
    {
      ...stripeListOperation('prices.list', 'List prices', 'With their products, newest first.', '/prices', {
        id: 'price_1MoBy5LkdIwHu7ix',
        active: true,
        nickname: null,
        unit_amount: 1999,
        currency: 'eur',
        product: { id: 'prod_NWjs8kKbJWmuuc', name: 'Tea' },
      }),
      inQuery: {
        product: listedLineParameter('Product', 'products', [], 255).optional().describe('Only prices of this product'),
        active: booleanParameter('Active').optional().describe('Only active, or only inactive ones'),
        since: stripeCreatedSince,
        limit: stripePageSize,
      },
      query: { 'expand[]': 'data.product' },
    },
    {
      id: 'balance.get',
      title: 'Get the balance',
      help: 'Available and pending amounts by currency.',
      limits: stripeRateLimit,
      method: 'GET',
      path: '/balance',
      example: { available: [{ amount: 66_670, currency: 'eur' }], pending: [] },
    },
  ],
};
