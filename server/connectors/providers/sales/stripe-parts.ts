import type { DataOperation, ConnectorPaging } from '../../operation';
import { countParameter, pairsParameter, lineParameter } from '../../parameters';

// https://docs.stripe.com/api/pagination
const stripeLastItemPaging: ConnectorPaging = { kind: 'last', query: 'starting_after', id: 'id', more: 'has_more' };
export const stripePageSize = countParameter('Items a page', 100).optional().describe('At most 100; default 10');
export const stripeCustomerId = lineParameter('Customer', 255).describe('Id of the customer, e.g. cus_9s6XKzkNRiz8i3');
export const stripeCreatedSince = countParameter('Created since', 9_999_999_999)
  .optional()
  .describe('Unix time in seconds');
export const stripeMetadata = pairsParameter('Metadata').optional().describe('Names and texts of your own');
export const stripeCurrency = lineParameter('Currency', 3).describe('Three letters, e.g. eur');
export const stripeAmount = (title: string) =>
  countParameter(title, 99_999_999).describe('In the smallest unit, e.g. 1999 for 19.99');
export const stripeContactFields = {
  email: lineParameter('Email address', 512).optional().describe('Of the customer'),
  name: lineParameter('Name', 256).optional().describe('Of the person or company'),
  phone: lineParameter('Phone', 20).optional().describe('Number with country code'),
  description: lineParameter('Description', 500).optional().describe('Shown in the dashboard'),
  metadata: stripeMetadata,
};

// https://docs.stripe.com/rate-limits
export const stripeRateLimit = '100 calls a second, 25 in a sandbox.';
export const stripeCustomerExample = {
  id: 'cus_9s6XKzkNRiz8i3',
  object: 'customer',
  email: 'ada@example.com',
  name: 'Ada',
  created: 1_769_847_330,
};
export const stripeChargeExample = {
  id: 'ch_3MmlLrLkdIwHu7ix',
  object: 'charge',
  amount: 1999,
  currency: 'eur',
  status: 'succeeded',
  created: 1_769_847_330,
};
export const checkoutSessionExample = {
  id: 'cs_test_a11YYufWQzNY63zpQ6',
  object: 'checkout.session',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a11Y',
  status: 'open',
};
export const stripeInvoiceExample = {
  id: 'in_1MtHbELkdIwHu7ix',
  object: 'invoice',
  status: 'draft',
  total: 1999,
  currency: 'eur',
  created: 1_769_847_330,
};

export const stripeListOperation = (
  id: string,
  title: string,
  help: string,
  path: string,
  one: object,
): DataOperation => ({
  id,
  title,
  help,
  limits: stripeRateLimit,
  method: 'GET',
  path,
  inQuery: { since: stripeCreatedSince, limit: stripePageSize },
  names: { since: 'created[gte]' },
  items: 'data',
  paging: stripeLastItemPaging,
  example: { object: 'list', data: [one], has_more: false },
});
