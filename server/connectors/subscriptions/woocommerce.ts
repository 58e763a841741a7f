import { findInPages, type ConnectorSubscriptions, type SubscribedEvent } from '../subscription';

interface ShopWebhook {
  id: number;
  delivery_url?: string;
}

const SHOP_WEBHOOKS_PER_PAGE = 100;

const shopEvent = (id: string, title: string, words: string, example: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: {},
  example,
});

const shopOrder = { id: 727, number: '727', status: 'processing', total: '29.35', currency: 'EUR', line_items: [] };
const shopProduct = { id: 799, name: 'Door', status: 'publish', price: '49.00' };
const shopCustomer = { id: 25, email: 'ada@example.com', first_name: 'Ada' };

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
export const woocommerceSubscriptions: ConnectorSubscriptions = {
  verification: {
    kind: 'signature',
    header: 'x-wc-webhook-signature',
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: '',
  },
  source: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks',
  events: [
    shopEvent('order.created', 'New order', 'purchase sale', shopOrder),
    shopEvent('order.updated', 'Order changes', 'status paid', shopOrder),
    shopEvent('order.deleted', 'Order is deleted', 'remove', { id: 727 }),
    shopEvent('customer.created', 'New customer', 'account', shopCustomer),
    shopEvent('customer.updated', 'Customer changes', 'account edit', shopCustomer),
    shopEvent('product.created', 'New product', 'article', shopProduct),
    shopEvent('product.updated', 'Product changes', 'article stock price', shopProduct),
    shopEvent('coupon.created', 'New coupon', 'voucher discount', { id: 719, code: 'DOOR10' }),
  ],
  *find({ url }) {
    const found = yield* findInPages(
      (page) => ({ path: '/webhooks', query: { per_page: SHOP_WEBHOOKS_PER_PAGE, page } }),
      ({ body }) => body as ShopWebhook[],
      (webhook) => webhook.delivery_url === url,
      SHOP_WEBHOOKS_PER_PAGE,
    );
    return found && { externalId: String(found.id), expiresAt: null };
  },
  *create({ url, secret, event }) {
    const value = { name: `Weft: ${event}`, topic: event, delivery_url: url, secret, status: 'active' };
    const { body } = yield { method: 'POST', path: '/webhooks', body: { as: 'json', value } };
    return { externalId: String((body as ShopWebhook).id), expiresAt: null };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhooks/${encodeURIComponent(externalId)}`, query: { force: true } };
  },
};
