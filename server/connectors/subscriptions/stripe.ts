import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface StripeEndpoint {
  id: string;
  url?: string;
  secret?: string;
}

const ENDPOINTS_PER_PAGE = 100;
/** An account has at most 16 webhook endpoints, so one page holds them. */
const MAX_ENDPOINT_PAGES = 5;

const stripeEvent = (id: string, title: string, words: string, object: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: {},
  example: { id: 'evt_1', object: 'event', type: id, created: 1_769_847_330, livemode: false, data: { object } },
});

const stripeInvoice = { id: 'in_1', object: 'invoice', customer: 'cus_1', amount_due: 4900, currency: 'eur' };
const stripeSubscription = { id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active' };

/** https://docs.stripe.com/api/webhook_endpoints */
export const stripeSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'stripe' },
  source: 'https://docs.stripe.com/api/webhook_endpoints',
  secretFrom: 'provider',
  events: [
    stripeEvent('checkout.session.completed', 'Checkout is completed', 'order payment purchase', {
      id: 'cs_1',
      object: 'checkout.session',
      amount_total: 4900,
      currency: 'eur',
      payment_status: 'paid',
    }),
    stripeEvent('payment_intent.succeeded', 'Payment succeeds', 'paid charge', {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 4900,
      currency: 'eur',
      status: 'succeeded',
    }),
    stripeEvent('payment_intent.payment_failed', 'Payment fails', 'declined charge', {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 4900,
      currency: 'eur',
      status: 'requires_payment_method',
    }),
    stripeEvent('charge.refunded', 'Payment is refunded', 'refund money back', {
      id: 'ch_1',
      object: 'charge',
      amount_refunded: 4900,
      currency: 'eur',
    }),
    stripeEvent('charge.dispute.created', 'Payment is disputed', 'chargeback', {
      id: 'dp_1',
      object: 'dispute',
      amount: 4900,
      reason: 'fraudulent',
    }),
    stripeEvent('customer.created', 'New customer', 'user account', {
      id: 'cus_1',
      object: 'customer',
      email: 'ada@example.com',
    }),
    stripeEvent('customer.subscription.created', 'New subscription', 'plan recurring', stripeSubscription),
    stripeEvent('customer.subscription.updated', 'Subscription changes', 'plan upgrade', stripeSubscription),
    stripeEvent('customer.subscription.deleted', 'Subscription ends', 'cancel churn', {
      ...stripeSubscription,
      status: 'canceled',
    }),
    stripeEvent('invoice.paid', 'Invoice is paid', 'billing', { ...stripeInvoice, status: 'paid' }),
    stripeEvent('invoice.payment_failed', 'Payment of an invoice fails', 'billing dunning', {
      ...stripeInvoice,
      status: 'open',
    }),
  ],
  *find({ url }) {
    let after: string | undefined;
    for (let page = 1; page <= MAX_ENDPOINT_PAGES; page += 1) {
      const query = { limit: ENDPOINTS_PER_PAGE, ...(after !== undefined && { starting_after: after }) };
      const { body } = yield { path: '/webhook_endpoints', query };
      const endpoints = (getAtPath(body, 'data') ?? []) as StripeEndpoint[];
      const found = endpoints.find((endpoint) => endpoint.url === url);
      if (found) return { externalId: found.id, expiresAt: null };
      after = endpoints.at(-1)?.id;
      if (getAtPath(body, 'has_more') !== true || after === undefined) return null;
    }
    return null;
  },
  *create({ url, event }) {
    const { body } = yield {
      method: 'POST',
      path: '/webhook_endpoints',
      body: { as: 'form', fields: { url, enabled_events: [event] } },
    };
    const { id, secret } = body as StripeEndpoint;
    return { externalId: id, expiresAt: null, ...(secret !== undefined && { secret }) };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhook_endpoints/${encodeURIComponent(externalId)}` };
  },
};
