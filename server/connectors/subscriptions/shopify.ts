import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface ShopifyWebhook {
  id: number;
  address?: string;
  topic?: string;
}

const shopifyEvent = (id: string, title: string, words: string, example: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: {},
  example,
});

const shopifyOrder = {
  id: 450_789_469,
  name: '#1001',
  email: 'ada@example.com',
  total_price: '49.00',
  currency: 'EUR',
  financial_status: 'paid',
  line_items: [{ id: 1, title: 'Door', quantity: 1, price: '49.00' }],
};
const shopifyProduct = { id: 632_910_392, title: 'Door', status: 'active', variants: [{ id: 1, price: '49.00' }] };
const shopifyCustomer = { id: 207_119_551, email: 'ada@example.com', first_name: 'Ada' };

/** https://shopify.dev/docs/api/admin-rest/latest/resources/webhook : signed with the secret of the app. */
export const shopifySubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'shopify' },
  source: 'https://shopify.dev/docs/api/admin-rest/latest/resources/webhook',
  secretFrom: 'app',
  events: [
    shopifyEvent('orders/create', 'New order', 'purchase sale', shopifyOrder),
    shopifyEvent('orders/paid', 'Order is paid', 'payment purchase', shopifyOrder),
    shopifyEvent('orders/updated', 'Order changes', 'edit purchase', shopifyOrder),
    shopifyEvent('orders/cancelled', 'Order is cancelled', 'cancel', { ...shopifyOrder, cancel_reason: 'customer' }),
    shopifyEvent('orders/fulfilled', 'Order is fulfilled', 'shipped sent', {
      ...shopifyOrder,
      fulfillment_status: 'fulfilled',
    }),
    shopifyEvent('refunds/create', 'New refund', 'money back return', {
      id: 1,
      order_id: 450_789_469,
      note: 'Returned',
    }),
    shopifyEvent('checkouts/create', 'Checkout is started', 'cart abandoned', { id: 1, email: 'ada@example.com' }),
    shopifyEvent('draft_orders/create', 'New draft order', 'quote', { id: 1, name: '#D1', status: 'open' }),
    shopifyEvent('customers/create', 'New customer', 'account', shopifyCustomer),
    shopifyEvent('customers/update', 'Customer changes', 'account edit', shopifyCustomer),
    shopifyEvent('products/create', 'New product', 'article', shopifyProduct),
    shopifyEvent('products/update', 'Product changes', 'article stock price', shopifyProduct),
    shopifyEvent('inventory_levels/update', 'Stock changes', 'inventory', {
      inventory_item_id: 808_950_810,
      location_id: 655_441_491,
      available: 7,
    }),
    shopifyEvent('app/uninstalled', 'App is uninstalled', 'remove', { id: 1, domain: 'your-shop.myshopify.com' }),
  ],
  *find({ url, event }) {
    const { body } = yield { path: '/webhooks.json', query: { address: url, topic: event, limit: 250 } };
    const all = (getAtPath(body, 'webhooks') ?? []) as ShopifyWebhook[];
    const found = all.find(({ address, topic }) => address === url && topic === event);
    return found ? { externalId: String(found.id), expiresAt: null } : null;
  },
  *create({ url, event }) {
    const value = { webhook: { topic: event, address: url, format: 'json' } };
    const { body } = yield { method: 'POST', path: '/webhooks.json', body: { as: 'json', value } };
    return { externalId: String(getAtPath(body, 'webhook.id')), expiresAt: null };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhooks/${encodeURIComponent(externalId)}.json` };
  },
};
