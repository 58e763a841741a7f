import type { DataOperation, ConnectorPaging } from '../../operation';
import {
  columnRowsParameter,
  contentLineParameter,
  countParameter,
  listedLineParameter,
  pairsParameter,
  valueLineParameter,
} from '../../parameters';

// https://docs.stripe.com/api/pagination
const stripeLastItemPaging: ConnectorPaging = { kind: 'last', query: 'starting_after', id: 'id', more: 'has_more' };
export const stripePageSize = countParameter('Items a page', 100).optional().describe('At most 100; default 10');
export const stripeCustomerId = listedLineParameter('Customer', 'customers', [], 255).describe(
  'Id of the customer, e.g. cus_9s6XKzkNRiz8i3',
);
export const stripeCreatedSince = countParameter('Created since', 9_999_999_999)
  .optional()
  .describe('Unix time in seconds');
export const stripeMetadata = pairsParameter('Metadata').optional().describe('Names and texts of your own');
export const stripeCurrency = listedLineParameter('Currency', 'currencies', [], 3).describe('Three letters, e.g. eur');
/** What is sold: one price, or several. */
export const stripeItems = (max: number) => ({
  price: listedLineParameter('Price', 'prices', [], 255)
    .optional()
    .describe('Id of a price, e.g. price_1MoBy5LkdIwHu7ix; in place of items'),
  quantity: countParameter('Quantity', 999_999).optional().describe('Needed with a price'),
  items: columnRowsParameter('Items', 'itemColumns', [], max)
    .optional()
    .describe('Several prices, each with its quantity'),
});
export const stripeItemNames = {
  items: 'line_items',
  price: 'line_items[0][price]',
  quantity: 'line_items[0][quantity]',
};
export const stripeAmount = (title: string) =>
  countParameter(title, 99_999_999).describe('In the smallest unit, e.g. 1999 for 19.99');
export const stripeContactFields = {
  email: valueLineParameter('Email address', 'address', 512).optional().describe('Of the customer'),
  name: contentLineParameter('Name', 256).optional().describe('Of the person or company'),
  phone: valueLineParameter('Phone', 'address', 20).optional().describe('Number with country code'),
  description: contentLineParameter('Description', 500).optional().describe('Shown in the dashboard'),
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
  description: 'Order 42',
  receipt_email: 'ada@example.com',
  payment_intent: 'pi_3MtwBwLkdIwHu7ix',
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
