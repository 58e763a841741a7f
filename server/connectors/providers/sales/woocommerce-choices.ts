import type { FieldChoice } from '@/contract/choices';
import type { ConnectorChoiceSource } from '../../choices';
import { lineColumnPaths } from './line-columns';

// https://woocommerce.github.io/woocommerce-rest-api-docs/#order-billing-properties
const BILLING_FIELDS = {
  first_name: 'First name',
  last_name: 'Last name',
  company: 'Company',
  address_1: 'Address',
  address_2: 'Address, second line',
  city: 'City',
  state: 'State',
  postcode: 'Postal code',
  country: 'Country',
  email: 'Email address',
  phone: 'Phone',
};
const billingColumns = Object.entries(BILLING_FIELDS).map(([value, label]): FieldChoice => ({
  value,
  label,
  type: 'text',
  isRequired: false,
}));

/** What the parameters of WooCommerce are picked from. */
export const woocommerceChoices: Record<string, ConnectorChoiceSource> = {
  orders: {
    operation: 'orders.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['#{number} {billing.first_name} {billing.last_name}', '#{number}'],
    hint: 'status',
  },
  products: {
    operation: 'products.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['name'],
    hint: 'sku',
    search: 'search',
  },
  categories: {
    operation: 'categories.list',
    parameters: { limit: 100 },
    value: 'id',
    label: ['name'],
    hint: 'slug',
    search: 'search',
  },
  billingColumns: { choices: billingColumns },
  lineColumns: {
    *steps() {
      const { body: options } = yield { path: '/products', query: { per_page: 100 } };
      return {
        items: [
          { name: 'product_id', label: 'Product', type: 'options', options, isNeeded: true },
          { name: 'quantity', label: 'Quantity', type: 'number', isNeeded: true },
        ],
      };
    },
    ...lineColumnPaths(['name']),
  },
};
