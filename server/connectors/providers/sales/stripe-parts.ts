import type { DataOperation, Paging } from '../../operation';
import { count, pairs, word } from '../../parameters';

// https://docs.stripe.com/api/pagination
const paging: Paging = { kind: 'last', query: 'starting_after', id: 'id', more: 'has_more' };
export const limit = count('Items a page', 100).optional().describe('At most 100; default 10');
export const customer = word('Customer', 255).describe('Id of the customer, e.g. cus_9s6XKzkNRiz8i3');
export const since = count('Created since', 9_999_999_999).optional().describe('Unix time in seconds');
export const metadata = pairs('Metadata').optional().describe('Names and texts of your own');
export const currency = word('Currency', 3).describe('Three letters, e.g. eur');
export const amount = (title: string) => count(title, 99_999_999).describe('In the smallest unit, e.g. 1999 for 19.99');
export const contact = {
  email: word('Email address', 512).optional().describe('Of the customer'),
  name: word('Name', 256).optional().describe('Of the person or company'),
  phone: word('Phone', 20).optional().describe('Number with country code'),
  description: word('Description', 500).optional().describe('Shown in the dashboard'),
  metadata,
};

// https://docs.stripe.com/rate-limits
export const limits = '100 calls a second, 25 in a sandbox.';
export const person = {
  id: 'cus_9s6XKzkNRiz8i3',
  object: 'customer',
  email: 'ada@example.com',
  name: 'Ada',
  created: 1_769_847_330,
};
export const charge = {
  id: 'ch_3MmlLrLkdIwHu7ix',
  object: 'charge',
  amount: 1999,
  currency: 'eur',
  status: 'succeeded',
  created: 1_769_847_330,
};
export const session = {
  id: 'cs_test_a11YYufWQzNY63zpQ6',
  object: 'checkout.session',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a11Y',
  status: 'open',
};
export const invoice = {
  id: 'in_1MtHbELkdIwHu7ix',
  object: 'invoice',
  status: 'draft',
  total: 1999,
  currency: 'eur',
  created: 1_769_847_330,
};

export const listing = (id: string, title: string, help: string, path: string, one: object): DataOperation => ({
  id,
  title,
  help,
  limits,
  method: 'GET',
  path,
  inQuery: { since, limit },
  names: { since: 'created[gte]' },
  items: 'data',
  paging,
  example: { object: 'list', data: [one], has_more: false },
});
