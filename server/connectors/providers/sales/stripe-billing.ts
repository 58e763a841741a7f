import type { DataOperation } from '../../operation';
import { choice, count, word } from '../../parameters';
import { amount, currency, customer, invoice, limits, listing, metadata, person } from './stripe-parts';

/** Invoices and subscriptions of Stripe. */
export const stripeBilling: DataOperation[] = [
  listing('invoices.list', 'List invoices', 'Newest first.', '/invoices', invoice),
  {
    id: 'invoices.create',
    title: 'Create an invoice',
    help: 'A draft with the open items of a customer.',
    limits,
    method: 'POST',
    path: '/invoices',
    bodyAs: 'form',
    inBody: {
      customer,
      days: count('Days until due', 365).optional().describe('For invoices that are sent'),
      isSent: choice('Collection', ['charge_automatically', 'send_invoice'])
        .optional()
        .describe('send_invoice: by email'),
      metadata,
    },
    names: { days: 'days_until_due', isSent: 'collection_method' },
    example: invoice,
  },
  {
    id: 'invoice_items.create',
    title: 'Add an item to the next invoice',
    help: 'A line of the next invoice of a customer.',
    limits,
    method: 'POST',
    path: '/invoiceitems',
    bodyAs: 'form',
    inBody: {
      customer,
      amount: amount('Amount'),
      currency,
      description: word('Description', 500).optional().describe('Text of the line'),
    },
    example: { id: 'ii_1MtGUtLkdIwHu7ix', object: 'invoiceitem', amount: 1999 },
  },
  {
    id: 'invoices.send',
    title: 'Send an invoice',
    help: 'Finalizes a draft and mails it to the customer.',
    limits,
    method: 'POST',
    path: '/invoices/{invoice}/send',
    inPath: { invoice: word('Invoice', 255).describe('Id, e.g. in_1MtHbELkdIwHu7ix') },
    example: { ...invoice, status: 'open' },
  },
  {
    ...listing('subscriptions.list', 'List subscriptions', 'Newest first, without cancelled ones.', '/subscriptions', {
      id: 'sub_1MowQVLkdIwHu7ix',
      status: 'active',
      customer: person.id,
      created: 1_769_847_330,
    }),
  },
  {
    id: 'subscriptions.cancel',
    title: 'Cancel a subscription',
    help: 'At once.',
    limits,
    method: 'DELETE',
    path: '/subscriptions/{subscription}',
    inPath: { subscription: word('Subscription', 255).describe('Id, e.g. sub_1MowQVLkdIwHu7ix') },
    example: { id: 'sub_1MowQVLkdIwHu7ix', status: 'canceled' },
  },
];
