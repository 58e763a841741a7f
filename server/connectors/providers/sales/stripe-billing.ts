import type { DataOperation } from '../../operation';
import { choiceParameter, contentLineParameter, countParameter, listedLineParameter } from '../../parameters';
import {
  stripeAmount,
  stripeCurrency,
  stripeCustomerId,
  stripeInvoiceExample,
  stripeRateLimit,
  stripeListOperation,
  stripeMetadata,
  stripeCustomerExample,
} from './stripe-parts';

/** Invoices and subscriptions of Stripe. */
export const stripeBillingOperations: DataOperation[] = [
  stripeListOperation('invoices.list', 'List invoices', 'Newest first.', '/invoices', stripeInvoiceExample),
  {
    id: 'invoices.create',
    title: 'Create an invoice',
    help: 'A draft with the open items of a customer.',
    limits: stripeRateLimit,
    method: 'POST',
    path: '/invoices',
    bodyAs: 'form',
    inBody: {
      customer: stripeCustomerId,
      days: countParameter('Days until due', 365).optional().describe('For invoices that are sent'),
      isSent: choiceParameter('Collection', ['charge_automatically', 'send_invoice'])
        .optional()
        .describe('send_invoice: by email'),
      metadata: stripeMetadata,
    },
    names: { days: 'days_until_due', isSent: 'collection_method' },
    example: stripeInvoiceExample,
  },
  {
    id: 'invoice_items.create',
    title: 'Add an item to the next invoice',
    help: 'A line of the next invoice of a customer.',
    limits: stripeRateLimit,
    method: 'POST',
    path: '/invoiceitems',
    bodyAs: 'form',
    inBody: {
      customer: stripeCustomerId,
      amount: stripeAmount('Amount'),
      currency: stripeCurrency,
      description: contentLineParameter('Description', 500).optional().describe('Text of the line'),
    },
    example: { id: 'ii_1MtGUtLkdIwHu7ix', object: 'invoiceitem', amount: 1999 },
  },
  {
    id: 'invoices.send',
    title: 'Send an invoice',
    help: 'Finalizes a draft and mails it to the customer.',
    limits: stripeRateLimit,
    method: 'POST',
    path: '/invoices/{invoice}/send',
    inPath: { invoice: listedLineParameter('Invoice', 'invoices', [], 255).describe('Id, e.g. in_1MtHbELkdIwHu7ix') },
    example: { ...stripeInvoiceExample, status: 'open' },
  },
  {
    ...stripeListOperation(
      'subscriptions.list',
      'List subscriptions',
      'Newest first, without cancelled ones.',
      '/subscriptions',
      {
        id: 'sub_1MowQVLkdIwHu7ix',
        status: 'active',
        customer: stripeCustomerExample.id,
        created: 1_769_847_330,
      },
    ),
  },
  {
    id: 'subscriptions.cancel',
    title: 'Cancel a subscription',
    help: 'At once.',
    limits: stripeRateLimit,
    method: 'DELETE',
    path: '/subscriptions/{subscription}',
    inPath: {
      subscription: listedLineParameter('Subscription', 'subscriptions', [], 255).describe(
        'Id, e.g. sub_1MowQVLkdIwHu7ix',
      ),
    },
    example: { id: 'sub_1MowQVLkdIwHu7ix', status: 'canceled' },
  },
];
