import { githubDeliveryHeaders, OWN_PROVIDER_RULES } from './webhook-providers';
import { collectionRules, nextId, type ProviderRules } from './webhook-collection';
import { FURTHER_SUBSCRIBED_PROVIDERS } from './further-subscribed-providers';
import {
  JSON_BODY_TYPE,
  hmacText,
  textValue,
  objectFields,
  listTrueFlags,
  signWithTime,
  listBodyEvents,
  type SubscribedProvider,
} from './subscribed-provider';

/** Linear has one address for all. */
const linearRules: ProviderRules = ({ body }, webhooks) => {
  const query = textValue(body['query']);
  const { input, id } = objectFields(body['variables']) as { input?: Record<string, unknown>; id?: string };
  if (query.includes('webhookCreate') && input) {
    const made = {
      id: nextId(),
      url: textValue(input['url']),
      secret: textValue(input['secret']),
      events: input['resourceTypes'] as string[],
      owner: '',
    };
    webhooks.push(made);
    return { status: 200, body: { data: { webhookCreate: { success: true, webhook: { id: made.id } } } } };
  }
  if (query.includes('webhookDelete')) {
    const index = webhooks.findIndex((webhook) => webhook.id === id);
    if (index < 0) return { status: 200, body: { errors: [{ message: 'Entity not found' }] } };
    webhooks.splice(index, 1);
    return { status: 200, body: { data: { webhookDelete: { success: true } } } };
  }
  return {
    status: 200,
    body: { data: { webhooks: { nodes: webhooks.map(({ id: node, url }) => ({ id: node, url })) } } },
  };
};

/** Every provider whose webhooks the service makes. */
export const SUBSCRIBED_PROVIDERS: Record<string, SubscribedProvider> = {
  ...FURTHER_SUBSCRIBED_PROVIDERS,
  github: {
    rules: OWN_PROVIDER_RULES.github,
    token: { token: 'github_pat_0123456789canary' },
    event: 'push',
    parameters: { owner: 'octocat', repo: 'hello' },
    delivery(secret) {
      const raw = '{"ref":"refs/heads/main"}';
      return { raw, headers: githubDeliveryHeaders(secret, raw, 'push') };
    },
  },
  telegram: {
    rules: OWN_PROVIDER_RULES.telegram,
    basePath: '/bot{token}',
    token: { token: '123456:AAAAAAAAAAAAAAAAAAAA-canary' },
    event: 'message',
    parameters: {},
    hasOne: true,
    delivery: (secret) => ({
      raw: '{"update_id":1,"message":{"text":"Hello"}}',
      headers: { ...JSON_BODY_TYPE, 'x-telegram-bot-api-secret-token': secret },
    }),
  },
  stripe: {
    rules: OWN_PROVIDER_RULES.stripe,
    token: { token: 'sk_test_012345canary' },
    event: 'invoice.paid',
    parameters: {},
    delivery(secret) {
      const raw = '{"id":"evt_1","type":"invoice.paid"}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'stripe-signature': signWithTime(secret, raw) } };
    },
  },
  gitlab: {
    rules: collectionRules({
      collection: /^\/projects\/([^/]+)\/hooks$/,
      item: /^\/projects\/[^/]+\/hooks\/(\d+)$/,
      read: ({ body }) => ({
        url: textValue(body['url']),
        secret: textValue(body['token']),
        events: listTrueFlags(body),
      }),
      shown: ({ id, url }) => ({ id: Number(id), url }),
      listed: (webhooks) => webhooks,
    }),
    token: { host: 'gitlab.example.com', token: 'glpat-0123456789canary' },
    event: 'push_events',
    parameters: { project: 'acme/hello' },
    delivery: (secret) => ({ raw: '{"object_kind":"push"}', headers: { ...JSON_BODY_TYPE, 'x-gitlab-token': secret } }),
  },
  typeform: {
    rules: collectionRules({
      collection: /^\/forms\/([^/]+)\/webhooks$/,
      item: /^\/forms\/[^/]+\/webhooks\/([\w-]+)$/,
      method: 'PUT',
      makeId: ({ path }) => path.slice(path.lastIndexOf('/') + 1),
      read: ({ body }) => ({
        url: textValue(body['url']),
        secret: textValue(body['secret']),
        events: ['form_response'],
      }),
      shown: ({ id, url }) => ({ tag: id, url, enabled: true }),
      listed: (items) => ({ items }),
      others: ({ method, path }, webhooks) =>
        method === 'GET' && path.endsWith('/webhooks')
          ? { status: 200, body: { items: webhooks.map(({ id, url }) => ({ tag: id, url })) } }
          : undefined,
    }),
    token: { token: 'tfp_0123456789canary0123456789' },
    event: 'form_response',
    parameters: { form: 'lT4Z3j' },
    delivery(secret) {
      const raw = '{"event_id":"e1","event_type":"form_response"}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'typeform-signature': `sha256=${hmacText(secret, raw, 'base64')}` } };
    },
  },
  calendly: {
    rules: collectionRules({
      collection: /^\/webhook_subscriptions$/,
      item: /^\/webhook_subscriptions\/(\d+)$/,
      read: (call) => ({
        url: textValue(call.body['url']),
        secret: textValue(call.body['signing_key']),
        events: listBodyEvents(call),
      }),
      shown: ({ id, url }) => ({ uri: `https://api.calendly.com/webhook_subscriptions/${id}`, callback_url: url }),
      listed: (collection) => ({ collection, pagination: { next_page_token: null } }),
      made: ({ id }) => ({ resource: { uri: `https://api.calendly.com/webhook_subscriptions/${id}` } }),
      others: ({ path }) =>
        path === '/users/me' ? { status: 200, body: { resource: { uri: 'u', current_organization: 'o' } } } : undefined,
    }),
    token: { token: 'calendly.0123456789canary0123456789' },
    event: 'invitee.created',
    parameters: {},
    delivery(secret) {
      const raw = '{"event":"invitee.created"}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'calendly-webhook-signature': signWithTime(secret, raw) } };
    },
  },
  linear: {
    rules: linearRules,
    token: { token: 'lin_api_0123456789canary0123456789' },
    event: 'Issue',
    parameters: { team: 't1' },
    delivery(secret) {
      const raw = `{"action":"create","webhookTimestamp":${Date.now()}}`;
      return { raw, headers: { ...JSON_BODY_TYPE, 'linear-signature': hmacText(secret, raw) } };
    },
  },
  shopify: {
    rules: collectionRules({
      collection: /^\/webhooks\.json$/,
      item: /^\/webhooks\/(\d+)\.json$/,
      read({ body }) {
        const webhook = objectFields(body['webhook']);
        return { url: textValue(webhook['address']), events: [textValue(webhook['topic'])] };
      },
      shown: ({ id, url, events }) => ({ id: Number(id), address: url, topic: events[0] }),
      listed: (webhooks) => ({ webhooks }),
      made: ({ id }) => ({ webhook: { id: Number(id) } }),
    }),
    event: 'orders/create',
    parameters: {},
    signsWithApp: true,
    delivery(secret) {
      const raw = '{"id":1}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'x-shopify-hmac-sha256': hmacText(secret, raw, 'base64') } };
    },
  },
  woocommerce: {
    rules: collectionRules({
      collection: /^\/webhooks$/,
      item: /^\/webhooks\/(\d+)$/,
      read: ({ body }) => ({
        url: textValue(body['delivery_url']),
        secret: textValue(body['secret']),
        events: [textValue(body['topic'])],
      }),
      shown: ({ id, url }) => ({ id: Number(id), delivery_url: url }),
      listed: (webhooks) => webhooks,
    }),
    token: { host: 'shop.example.com', key: 'ck_012345canary', token: 'cs_012345canary' },
    event: 'order.created',
    parameters: {},
    delivery(secret) {
      const raw = '{"id":1}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'x-wc-webhook-signature': hmacText(secret, raw, 'base64') } };
    },
  },
  clickup: {
    rules: collectionRules({
      collection: /^\/team\/([^/]+)\/webhook$/,
      item: /^\/webhook\/(\d+)$/,
      makesSecret: true,
      read: (call) => ({ url: textValue(call.body['endpoint']), events: listBodyEvents(call) }),
      shown: ({ id, url }) => ({ id, endpoint: url }),
      listed: (webhooks) => ({ webhooks }),
      made: ({ id, secret }) => ({ id, webhook: { id, secret } }),
    }),
    token: { token: 'pk_0123456789canary' },
    event: 'taskCreated',
    parameters: { workspace: '108' },
    delivery(secret) {
      const raw = '{"event":"taskCreated"}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'x-signature': hmacText(secret, raw) } };
    },
  },
  pipedrive: {
    rules: collectionRules({
      collection: /^\/v1\/webhooks$/,
      item: /^\/v1\/webhooks\/(\d+)$/,
      read: ({ body }) => ({
        url: textValue(body['subscription_url']),
        secret: textValue(body['http_auth_password']),
        events: [`${textValue(body['event_object'])}.${textValue(body['event_action'])}`],
      }),
      shown: ({ id, url }) => ({ id: Number(id), subscription_url: url }),
      listed: (data) => ({ data }),
      made: ({ id }) => ({ data: { id: Number(id) } }),
    }),
    token: { token: 'canary0123456789012345' },
    event: 'deal.create',
    parameters: {},
    delivery: (secret) => ({
      raw: '{"data":{"id":1}}',
      headers: { ...JSON_BODY_TYPE, authorization: `Basic ${Buffer.from(`weft:${secret}`).toString('base64')}` },
    }),
  },
};
