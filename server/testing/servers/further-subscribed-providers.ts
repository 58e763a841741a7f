import { createHash } from 'node:crypto';
import { collectionRules, nextId, NOT_FOUND, type ProviderRules } from './webhook-collection';
import {
  JSON_BODY_TYPE,
  FORM_BODY_TYPE,
  hmacText,
  textValue,
  objectFields,
  listTrueFlags,
  lifeUntilMs,
  listBodyEvents,
  type SubscribedProvider,
} from './subscribed-provider';

/** Channels of Google cannot be listed; one is stopped by two ids. */
const googleRules: ProviderRules = ({ method, path, body }, webhooks) => {
  if (path.endsWith('/watch') && method === 'POST') {
    if (webhooks.some(({ id }) => id.startsWith(`${textValue(body['id'])}/`)))
      return { status: 400, body: { error: { message: 'Channel id not unique' } } };
    const resourceId = createHash('sha256').update(path).digest('hex').slice(0, 20);
    const expiresAt = Number(body['expiration']);
    const id = `${textValue(body['id'])}/${resourceId}`;
    webhooks.push({
      id,
      url: textValue(body['address']),
      secret: textValue(body['token']),
      events: [path],
      owner: path,
      expiresAt,
    });
    return { status: 200, body: { kind: 'api#channel', id: body['id'], resourceId, expiration: String(expiresAt) } };
  }
  const id = `${textValue(body['id'])}/${textValue(body['resourceId'])}`;
  const index = webhooks.findIndex((webhook) => webhook.id === id);
  if (path !== '/channels/stop' || index < 0) return NOT_FOUND;
  webhooks.splice(index, 1);
  return { status: 204 };
};

/** Providers that ask the address, end their webhooks, or have APIs of their own for them. */
export const FURTHER_SUBSCRIBED_PROVIDERS: Record<string, SubscribedProvider> = {
  microsoft_graph: {
    rules: collectionRules({
      collection: /^\/subscriptions$/,
      item: /^\/subscriptions\/(\d+)$/,
      read: ({ body }) => ({
        url: textValue(body['notificationUrl']),
        secret: textValue(body['clientState']),
        events: [`${textValue(body['changeType'])} ${textValue(body['resource'])}`],
        lifeMs: lifeUntilMs(body['expirationDateTime']),
      }),
      shown: ({ id, url, expiresAt = 0 }) => ({
        id,
        notificationUrl: url,
        expirationDateTime: new Date(expiresAt).toISOString(),
      }),
      listed: (value) => ({ value }),
      async confirms({ url }, reach) {
        const token = 'Validation: Testing <client> application+1';
        const answer = await reach('POST', `${url}?validationToken=${encodeURIComponent(token)}`, {
          'content-type': 'text/plain; charset=utf-8',
        });
        const isText = answer.headers.get('content-type')?.startsWith('text/plain') === true;
        return answer.status === 200 && isText && answer.text === token;
      },
    }),
    event: 'message.created',
    parameters: { folder: 'inbox' },
    ends: true,
    delivery: (secret) => ({
      raw: JSON.stringify({ value: [{ changeType: 'created', clientState: secret, resourceData: { id: 'm1' } }] }),
      headers: JSON_BODY_TYPE,
    }),
  },
  asana: {
    rules: collectionRules({
      collection: /^\/webhooks$/,
      item: /^\/webhooks\/(\d+)$/,
      makesSecret: true,
      read({ body }) {
        const data = objectFields(body['data']);
        return { url: textValue(data['target']), events: [JSON.stringify(data['filters'])] };
      },
      shown: ({ id, url }) => ({ gid: id, target: url }),
      listed: (data) => ({ data, next_page: null }),
      made: ({ id, secret }) => ({ data: { gid: id }, 'X-Hook-Secret': secret }),
      async confirms({ url, secret }, reach) {
        const answer = await reach('POST', url, { 'x-hook-secret': secret });
        return [200, 204].includes(answer.status) && answer.headers.get('x-hook-secret') === secret;
      },
      others: ({ path }) =>
        path.startsWith('/projects/')
          ? { status: 200, body: { data: { gid: '1331', workspace: { gid: '42' } } } }
          : undefined,
    }),
    token: { token: '1/12345:0123456789canary' },
    event: 'task.added',
    parameters: { project: '1331' },
    delivery(secret) {
      const raw = '{"events":[{"action":"added","resource":{"gid":"1"}}]}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'x-hook-signature': hmacText(secret, raw) } };
    },
  },
  jira: {
    rules: collectionRules({
      collection: /^\/rest\/webhooks\/1\.0\/webhook$/,
      item: /^\/rest\/webhooks\/1\.0\/webhook\/(.+)$/,
      makeId: ({ origin }) => `${origin}/rest/webhooks/1.0/webhook/${nextId()}`,
      read: (call) => ({
        url: textValue(call.body['url']),
        secret: textValue(call.body['secret']),
        events: listBodyEvents(call),
      }),
      shown: ({ id, url }) => ({ self: id, url, enabled: true }),
      listed: (webhooks) => webhooks,
      others({ method, path, origin }, webhooks) {
        if (path.endsWith('/serverInfo')) return { status: 200, body: { baseUrl: origin } };
        const index = webhooks.findIndex(({ id }) => id === `${origin}${path}`);
        if (method !== 'DELETE' || index < 0) return undefined;
        webhooks.splice(index, 1);
        return { status: 204 };
      },
    }),
    basePath: '/rest/api/2',
    token: { site: 'acme', email: 'ada@example.com', token: '0123456789canary0123456789' },
    event: 'jira:issue_created',
    parameters: { project: 'PROJ' },
    delivery(secret) {
      const raw = '{"webhookEvent":"jira:issue_created"}';
      return { raw, headers: { ...JSON_BODY_TYPE, 'x-hub-signature': `sha256=${hmacText(secret, raw)}` } };
    },
  },
  zendesk: {
    rules: collectionRules({
      collection: /^\/webhooks$/,
      item: /^\/webhooks\/(\d+)$/,
      makesSecret: true,
      read({ body }) {
        const webhook = objectFields(body['webhook']);
        return { url: textValue(webhook['endpoint']), events: webhook['subscriptions'] as string[] };
      },
      shown: ({ id, url }) => ({ id, endpoint: url }),
      listed: (webhooks) => ({ webhooks, meta: { has_more: false, after_cursor: null } }),
      made: ({ id, url }) => ({ webhook: { id, endpoint: url } }),
      others({ path }, webhooks) {
        const id = /^\/webhooks\/(\d+)\/signing_secret$/.exec(path)?.[1];
        const found = webhooks.find((webhook) => webhook.id === id);
        return found && { status: 200, body: { signing_secret: { algorithm: 'sha256', secret: found.secret } } };
      },
    }),
    token: { subdomain: 'acme', email: 'ada@example.com', token: '0123456789canary0123456789' },
    event: 'ticket.created',
    parameters: {},
    delivery(secret) {
      const raw = '{"id":"e1","type":"zen:event-type:ticket.created"}';
      const time = new Date().toISOString();
      const signature = {
        'x-zendesk-webhook-signature': hmacText(secret, time + raw, 'base64'),
        'x-zendesk-webhook-signature-timestamp': time,
      };
      return { raw, headers: { ...JSON_BODY_TYPE, ...signature } };
    },
  },
  mailchimp: {
    rules: collectionRules({
      collection: /^\/lists\/([^/]+)\/webhooks$/,
      item: /^\/lists\/[^/]+\/webhooks\/(\d+)$/,
      read: ({ body }) => ({
        url: textValue(body['url']),
        secret: new URL(textValue(body['url'])).searchParams.get('secret') ?? '',
        events: listTrueFlags(objectFields(body['events'])),
      }),
      shown: ({ id, url }) => ({ id, url }),
      listed: (webhooks) => ({ webhooks, total_items: webhooks.length }),
      confirms: async ({ url }, reach) => (await reach('GET', url)).status === 200,
    }),
    token: { center: 'us21', token: '0123456789abcdef0123456789abcdef-us21' },
    event: 'subscribe',
    parameters: { list: 'a6b5da1054' },
    delivery: (secret) => ({
      raw: 'type=subscribe&data%5Bemail%5D=ada%40example.com',
      query: secret === '' ? '' : `?secret=${encodeURIComponent(secret)}`,
      headers: FORM_BODY_TYPE,
    }),
  },
  google: {
    rules: googleRules,
    event: 'calendar.changed',
    parameters: { calendar: 'primary' },
    ends: true,
    delivery: (secret) => ({
      headers: { 'x-goog-channel-token': secret, 'x-goog-resource-state': 'exists', 'x-goog-message-number': '2' },
    }),
  },
};
