import { describe, expect, test } from 'vitest';
import { WEBHOOK_PROVIDERS } from '@/contract/triggers/webhook-constants';
import { builtInConnectors, findBuiltInConnector } from '../index';
import type { ApiRequest } from '../operation';
import type { ConnectorSubscriptions, ProviderRequests } from '../subscription';

/** Runs requests against answers of a provider, in their order. */
function play<Result>(
  requests: ProviderRequests<Result>,
  bodies: unknown[],
): { result: Result; sent: string[]; last: ApiRequest | undefined } {
  const sent: string[] = [];
  let last: ApiRequest | undefined;
  let step = requests.next({ status: 200, headers: {}, body: null });
  for (const body of [...bodies, undefined]) {
    if (step.done) return { result: step.value, sent, last };
    last = step.value;
    sent.push(`${last.method ?? 'GET'} ${last.path}`);
    step = requests.next({ status: 200, headers: {}, body });
  }
  throw new Error(`There is no answer to ${sent.at(-1)}.`);
}

const subscriptionsOf = (id: string): ConnectorSubscriptions => {
  const subscriptions = findBuiltInConnector(id)?.subscriptions;
  if (!subscriptions) throw new Error(`${id} has none.`);
  return subscriptions;
};

const URL_OF_OURS = 'https://weft.example.com/webhooks/wf_1/abc';
const target = (event: string, parameters: Record<string, unknown> = {}) => ({
  url: URL_OF_OURS,
  event,
  parameters,
  externalId: null,
});

describe.each(builtInConnectors.flatMap(({ id, subscriptions }) => (subscriptions ? [{ id, subscriptions }] : [])))(
  'the events of $id',
  ({ subscriptions: { events, verification, source } }) => {
    test('have ids of their own, titles, and deliveries as JSON objects', () => {
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      for (const { title, example } of events) {
        expect(title).toMatch(/^[A-Z].*[^.]$/);
        expect(JSON.parse(JSON.stringify(example))).toEqual(example);
      }
      if (verification.kind === 'provider') expect(WEBHOOK_PROVIDERS).toContain(verification.provider);
      expect(source).toMatch(/^https:\/\//);
    });
  },
);

test('GitLab: an event is a flag of the webhook of a project', () => {
  const gitlab = subscriptionsOf('gitlab');
  const of = target('issues_events', { project: 'acme/hello' });
  const made = play(gitlab.create({ ...of, secret: 's' }), [{ id: 5 }]);
  expect(made.sent).toEqual(['POST /projects/acme%2Fhello/hooks']);
  expect(made.last?.body).toMatchObject({
    value: { url: URL_OF_OURS, token: 's', issues_events: true, push_events: false },
  });
  expect(made.result).toEqual({ externalId: '5', expiresAt: null });
  expect(play(gitlab.find(of), [[{ id: 5, url: URL_OF_OURS }]]).result).toEqual({ externalId: '5', expiresAt: null });
  expect(play(gitlab.find(of), [[{ id: 5, url: 'https://other.example.com' }]]).result).toBeNull();
  expect(play(gitlab.remove('5', of), [null]).sent).toEqual(['DELETE /projects/acme%2Fhello/hooks/5']);
});

test('GitHub: one webhook may report everything', () => {
  const of = { ...target('any', { owner: 'o', repo: 'r' }), secret: 's' };
  const made = play(subscriptionsOf('github').create(of), [{ id: 5 }]);
  expect(made.last?.body).toMatchObject({ value: { events: ['*'], config: { url: URL_OF_OURS, secret: 's' } } });
});

test('GitHub: webhooks are found on later pages', () => {
  const github = subscriptionsOf('github');
  const full = Array.from({ length: 100 }, (_, id) => ({ id, config: { url: `https://example.com/${id}` } }));
  const of = target('push', { owner: 'o', repo: 'r' });
  const found = play(github.find(of), [full, [{ id: 200, config: { url: URL_OF_OURS } }]]);
  expect(found.sent).toEqual(['GET /repos/o/r/hooks', 'GET /repos/o/r/hooks']);
  expect(found.result).toEqual({ externalId: '200', expiresAt: null });
});

test('Typeform: the same address has the same tag, so that a second attempt replaces the first', () => {
  const typeform = subscriptionsOf('typeform');
  const of = target('form_response', { form: 'lT4Z3j' });
  const one = play(typeform.create({ ...of, secret: 's' }), [{}]);
  const other = play(typeform.create({ ...of, secret: 's' }), [{}]);
  expect(one.sent).toEqual([`PUT /forms/lT4Z3j/webhooks/${one.result.externalId}`]);
  expect(other.result).toEqual(one.result);
  expect(one.last?.body).toMatchObject({ value: { url: URL_OF_OURS, secret: 's', enabled: true } });
  const items = [{ tag: one.result.externalId, url: URL_OF_OURS }];
  expect(play(typeform.find(of), [{ items }]).result).toEqual(one.result);
  expect(play(typeform.remove('t', of), [null]).sent).toEqual(['DELETE /forms/lT4Z3j/webhooks/t']);
});

test('Calendly: the user of the token is subscribed, and lists have pages', () => {
  const calendly = subscriptionsOf('calendly');
  const user = {
    resource: {
      uri: 'https://api.calendly.com/users/A',
      current_organization: 'https://api.calendly.com/organizations/B',
    },
  };
  const uri = 'https://api.calendly.com/webhook_subscriptions/C';
  const made = play(calendly.create({ ...target('invitee.created'), secret: 's' }), [user, { resource: { uri } }]);
  expect(made.last?.body).toMatchObject({
    value: { url: URL_OF_OURS, events: ['invitee.created'], user: user.resource.uri, scope: 'user', signing_key: 's' },
  });
  expect(made.result.externalId).toBe(uri);
  const first = { collection: [], pagination: { next_page_token: 'n' } };
  const second = { collection: [{ uri, callback_url: URL_OF_OURS }], pagination: { next_page_token: null } };
  expect(play(calendly.find(target('invitee.created')), [user, first, second]).result?.externalId).toBe(uri);
  expect(play(calendly.remove(uri, target('invitee.created')), [null]).sent).toEqual([
    'DELETE /webhook_subscriptions/C',
  ]);
});

test('Linear: webhooks of a team by GraphQL', () => {
  const linear = subscriptionsOf('linear');
  const of = target('Issue', { team: 't1' });
  const made = play(linear.create({ ...of, secret: 's' }), [
    { data: { webhookCreate: { success: true, webhook: { id: 'w1' } } } },
  ]);
  expect(made.last?.body).toMatchObject({
    value: {
      variables: { input: { url: URL_OF_OURS, secret: 's', resourceTypes: ['Issue'], teamId: 't1', enabled: true } },
    },
  });
  expect(made.result.externalId).toBe('w1');
  const nodes = [{ id: 'w1', url: URL_OF_OURS }];
  expect(play(linear.find(of), [{ data: { webhooks: { nodes } } }]).result?.externalId).toBe('w1');
});

test('Shopify: a topic of the shop', () => {
  const shopify = subscriptionsOf('shopify');
  const of = target('orders/create');
  const made = play(shopify.create({ ...of, secret: '' }), [{ webhook: { id: 7 } }]);
  expect(made.last?.body).toMatchObject({
    value: { webhook: { topic: 'orders/create', address: URL_OF_OURS, format: 'json' } },
  });
  expect(made.result.externalId).toBe('7');
  const webhooks = [{ id: 7, address: URL_OF_OURS, topic: 'orders/create' }];
  expect(play(shopify.find(of), [{ webhooks }]).result?.externalId).toBe('7');
  expect(play(shopify.find(target('orders/paid')), [{ webhooks }]).result).toBeNull();
  expect(play(shopify.remove('7', of), [null]).sent).toEqual(['DELETE /webhooks/7.json']);
});

test('WooCommerce: a webhook of the shop, with a secret of the service', () => {
  const shop = subscriptionsOf('woocommerce');
  const made = play(shop.create({ ...target('order.created'), secret: 's' }), [{ id: 142 }]);
  expect(made.last?.body).toMatchObject({ value: { topic: 'order.created', delivery_url: URL_OF_OURS, secret: 's' } });
  const found = play(shop.find(target('order.created')), [[{ id: 142, delivery_url: URL_OF_OURS }]]);
  expect(found.result?.externalId).toBe('142');
});

test('ClickUp: the secret is that of the answer', () => {
  const clickup = subscriptionsOf('clickup');
  const of = target('taskCreated', { workspace: '108' });
  const made = play(clickup.create({ ...of, secret: '' }), [{ id: 'w', webhook: { id: 'w', secret: 'theirs' } }]);
  expect(made.sent).toEqual(['POST /team/108/webhook']);
  expect(made.result).toEqual({ externalId: 'w', expiresAt: null, secret: 'theirs' });
  expect(play(clickup.find(of), [{ webhooks: [{ id: 'w', endpoint: URL_OF_OURS }] }]).result?.externalId).toBe('w');
});

test('Pipedrive: object and action, with a password', () => {
  const pipedrive = subscriptionsOf('pipedrive');
  const made = play(pipedrive.create({ ...target('deal.change'), secret: 's' }), [{ data: { id: 5 } }]);
  expect(made.last?.body).toMatchObject({
    value: { event_object: 'deal', event_action: 'change', http_auth_user: 'weft', http_auth_password: 's' },
  });
  const data = [{ id: 5, subscription_url: URL_OF_OURS }];
  expect(play(pipedrive.find(target('deal.change')), [{ data }]).result?.externalId).toBe('5');
});
