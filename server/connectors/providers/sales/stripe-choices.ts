import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { currencyChoices } from '../../fixed-choices';
import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';
import { lineColumnPaths } from './line-columns';

/** The search of Stripe takes a part of a text from this length on. */
const MIN_SEARCHED_CHARACTERS = 3;

const listed = (
  operation: string,
  paths: Pick<OperationChoiceSource, 'value' | 'label' | 'hint' | 'parameters'>,
): OperationChoiceSource => ({ operation, ...paths, parameters: { limit: 100, ...paths.parameters } });

const priceLabels = [
  '{product.name}: {nickname}',
  '{product.name}: {unit_amount} {currency}',
  'product.name',
  'nickname',
];

/** What lists the choices of Stripe. https://docs.stripe.com/search */
export const stripeChoices: Record<string, ConnectorChoiceSource> = {
  customers: {
    searches: true,
    *steps({ search, page }) {
      const isSearch = search.length >= MIN_SEARCHED_CHARACTERS;
      const text = search.replaceAll(/["\\]/g, '\\$&');
      const query = isSearch
        ? { query: `name~"${text}" OR email~"${text}"`, limit: 100, page: page ?? undefined }
        : { limit: 100, starting_after: page ?? undefined };
      const { body } = yield { path: isSearch ? '/customers/search' : '/customers', query };
      const data = getAtPath(body, 'data');
      const all = Array.isArray(data) ? (data as { id?: unknown; name?: unknown; email?: unknown }[]) : [];
      const next = isSearch ? getAtPath(body, 'next_page') : all.at(-1)?.id;
      const sought = search.toLowerCase();
      const isFound = ({ name, email }: { name?: unknown; email?: unknown }) =>
        `${String(name ?? '')} ${String(email ?? '')}`.toLowerCase().includes(sought);
      return {
        items: isSearch ? all : all.filter(isFound),
        next: getAtPath(body, 'has_more') === true && typeof next === 'string' ? next : null,
      };
    },
    value: 'id',
    label: ['name', 'email'],
    hint: 'email',
  },
  prices: listed('prices.list', {
    parameters: { active: true },
    value: 'id',
    label: priceLabels,
    hint: 'id',
  }),
  currencies: currencyChoices('lower'),
  products: listed('products.list', { value: 'id', label: ['name'], hint: 'id' }),
  // The fields of a line: https://docs.stripe.com/api/checkout/sessions/create
  itemColumns: {
    *steps() {
      const query = { active: true, limit: 100, 'expand[]': 'data.product' };
      const options = getAtPath((yield { path: '/prices', query }).body, 'data');
      return {
        items: [
          { name: 'price', label: 'Price', type: 'options', options, isNeeded: true },
          { name: 'quantity', label: 'Quantity', type: 'number' },
        ],
      };
    },
    ...lineColumnPaths(priceLabels),
  },
  charges: listed('charges.list', {
    value: 'id',
    label: ['description', 'billing_details.name', '{amount} {currency} {status}'],
    hint: 'receipt_email',
  }),
  payment_intents: listed('charges.list', {
    value: 'payment_intent',
    label: ['description', 'billing_details.name', '{amount} {currency} {status}'],
    hint: 'receipt_email',
  }),
  invoices: listed('invoices.list', {
    value: 'id',
    label: ['number', 'customer_name', '{total} {currency} {status}'],
    hint: 'status',
  }),
  subscriptions: listed('subscriptions.list', { value: 'id', label: ['description', 'customer'], hint: 'status' }),
};
