import { createHash, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { sign as githubSign } from '@octokit/webhooks-methods';
import { verifyKey } from 'discord-interactions';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix/dist/webhook.js';
import * as twilio from 'twilio/lib/webhooks/webhooks.js';
import { expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { WebhookProvider } from '@/contract/triggers/webhook-verification';
import { prismaClient } from '@/server/platform/db/client';
import { call } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { buildHookWith, send, sign, type Hook, type TestHook } from '@/server/testing/hooks';

useDatabase();

/** A request as a provider sends it. */
interface Request {
  method?: string;
  query?: string;
  raw: string;
  headers: Record<string, string>;
}

interface Sender {
  secret: string;
  /** A secret of the same form that is not the webhook's. */
  wrongSecret: string;
  verifyToken?: string;
  /** Signs the `number`-th event. `skew`: seconds by which the sender's clock differs. */
  request(secret: string, hook: Hook, given: { number: number; skew: number }): Request | Promise<Request>;
  /** The signature covers the time of sending. */
  hasTime?: boolean;
  /** A second delivery with the same id starts nothing. */
  hasId?: boolean;
}

const seconds = (skew: number) => Math.floor(Date.now() / 1000) + skew;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

const discordKeys = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  return { hex, privateKey };
};
const KEYS = [discordKeys(), discordKeys()];
const discordSigned = (publicHex: string, raw: string, skew: number) => {
  const { privateKey } = KEYS.find(({ hex }) => hex === publicHex)!;
  const time = String(seconds(skew));
  const signature = signWith(null, Buffer.from(time + raw), privateKey).toString('hex');
  return { ...JSON_TYPE, 'x-signature-ed25519': signature, 'x-signature-timestamp': time };
};

const standardSecret = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
const stripeClient = new Stripe('sk_test_unused');

/** How each sender signs, by its own library or by its published rules. */
const SENDERS: Record<WebhookProvider, Sender> = {
  github: {
    secret: 'github secret',
    wrongSecret: 'another',
    hasId: true,
    async request(secret, _, { number }) {
      const raw = `{"action":"opened","number":${number}}`;
      const headers = { ...JSON_TYPE, 'x-github-event': 'issues', 'x-github-delivery': `72d3162e-${number}` };
      return { raw, headers: { ...headers, 'x-hub-signature-256': await githubSign(secret, raw) } };
    },
  },
  gitlab: {
    secret: 'gitlab token',
    wrongSecret: 'gitlab tokem',
    hasId: true,
    request: (secret, _, { number }) => ({
      raw: `{"object_kind":"push","number":${number}}`,
      headers: {
        ...JSON_TYPE,
        'x-gitlab-token': secret,
        'x-gitlab-event-uuid': `a${number}`,
        'idempotency-key': `i${number}`,
      },
    }),
  },
  stripe: {
    secret: 'whsec_stripe',
    wrongSecret: 'whsec_other',
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"id":"evt_${number}","type":"charge.succeeded"}`;
      const given = { payload: raw, secret, timestamp: seconds(skew) };
      return {
        raw,
        headers: { ...JSON_TYPE, 'stripe-signature': stripeClient.webhooks.generateTestHeaderString(given) },
      };
    },
  },
  shopify: {
    secret: 'shopify client secret',
    wrongSecret: 'another',
    hasId: true,
    request(secret, _, { number }) {
      const raw = `{"order":${number}}`;
      const headers = {
        'x-shopify-hmac-sha256': sign(secret, raw, 'sha256', 'base64'),
        'x-shopify-webhook-id': `w${number}`,
      };
      return { raw, headers: { ...JSON_TYPE, ...headers } };
    },
  },
  slack: {
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    wrongSecret: '8f742231b10e8888abcd99yyyzzz85a6',
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"type":"event_callback","event_id":"Ev${number}"}`;
      const time = String(seconds(skew));
      const signature = `v0=${sign(secret, `v0:${time}:${raw}`)}`;
      return { raw, headers: { ...JSON_TYPE, 'x-slack-request-timestamp': time, 'x-slack-signature': signature } };
    },
  },
  standard_webhooks: {
    secret: standardSecret('a standard secret of 24 bytes'),
    wrongSecret: standardSecret('another'),
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"type":"user.created","number":${number}}`;
      const time = seconds(skew);
      const signature = new StandardWebhook(secret).sign(`msg_${number}`, new Date(time * 1000), raw);
      const headers = {
        'webhook-id': `msg_${number}`,
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,AAAA ${signature}`,
      };
      return { raw, headers: { ...JSON_TYPE, ...headers } };
    },
  },
  svix: {
    secret: standardSecret('a secret of an endpoint'),
    wrongSecret: standardSecret('another'),
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"number":${number}}`;
      const time = seconds(skew);
      const signature = new SvixWebhook(secret).sign(`msg_${number}`, new Date(time * 1000), raw);
      const headers = { 'svix-id': `msg_${number}`, 'svix-timestamp': String(time), 'svix-signature': signature };
      return { raw, headers: { ...JSON_TYPE, ...headers } };
    },
  },
  typeform: {
    secret: 'typeform secret',
    wrongSecret: 'another',
    request(secret, _, { number }) {
      const raw = `{"event_id":"e${number}","event_type":"form_response"}`;
      return {
        raw,
        headers: { ...JSON_TYPE, 'typeform-signature': `sha256=${sign(secret, raw, 'sha256', 'base64')}` },
      };
    },
  },
  linear: {
    secret: 'lin_wh_secret',
    wrongSecret: 'lin_wh_other',
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"action":"create","number":${number},"webhookTimestamp":${seconds(skew) * 1000}}`;
      return { raw, headers: { ...JSON_TYPE, 'linear-signature': sign(secret, raw), 'linear-delivery': `d${number}` } };
    },
  },
  twilio: {
    secret: '12345',
    wrongSecret: '12346',
    request(secret, hook, { number }) {
      const fields = { CallSid: `CA${number}`, Digits: '1234', From: '+14158675309', Body: 'ä & b' };
      const query = '?foo=1&bar=2';
      const signature = twilio.getExpectedTwilioSignature(secret, hook.url + query, fields);
      return {
        query,
        raw: new URLSearchParams(fields).toString(),
        headers: { ...FORM_TYPE, 'x-twilio-signature': signature },
      };
    },
  },
  mailgun: {
    secret: 'mailgun signing key',
    wrongSecret: 'another',
    hasTime: true,
    request(secret, _, { number, skew }) {
      const timestamp = String(seconds(skew));
      const token = `token-${number}`;
      const signature = { timestamp, token, signature: sign(secret, timestamp + token) };
      return { raw: JSON.stringify({ signature, 'event-data': { event: 'opened' } }), headers: JSON_TYPE };
    },
  },
  discord: {
    secret: KEYS[0]!.hex,
    wrongSecret: KEYS[1]!.hex,
    hasTime: true,
    request(secret, _, { number, skew }) {
      const raw = `{"version":1,"type":1,"event":{"type":"ENTITLEMENT_CREATE","number":${number}}}`;
      return { raw, headers: discordSigned(secret, raw, skew) };
    },
  },
  meta: {
    secret: 'meta app secret',
    wrongSecret: 'another',
    verifyToken: 'token of the subscription',
    request(secret, _, { number }) {
      const raw = `{"object":"page","number":${number}}`;
      return { raw, headers: { ...JSON_TYPE, 'x-hub-signature-256': `sha256=${sign(secret, raw)}` } };
    },
  },
  zoom: {
    secret: 'zoom secret token',
    wrongSecret: 'another',
    hasTime: true,
    request(secret, _, { number, skew }) {
      const raw = `{"event":"meeting.started","number":${number}}`;
      const time = String(seconds(skew));
      const signature = `v0=${sign(secret, `v0:${time}:${raw}`)}`;
      return { raw, headers: { ...JSON_TYPE, 'x-zm-request-timestamp': time, 'x-zm-signature': signature } };
    },
  },
  telegram: {
    secret: 'secret_token-1',
    wrongSecret: 'secret_token-2',
    hasId: true,
    request: (secret, _, { number }) => ({
      raw: `{"update_id":${number},"message":{"text":"hello"}}`,
      headers: { ...JSON_TYPE, 'x-telegram-bot-api-secret-token': secret },
    }),
  },
  paddle: {
    secret: 'pdl_ntfset_secret',
    wrongSecret: 'another',
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"event_id":"evt_${number}","event_type":"transaction.paid"}`;
      const time = String(seconds(skew));
      return { raw, headers: { ...JSON_TYPE, 'paddle-signature': `ts=${time};h1=${sign(secret, `${time}:${raw}`)}` } };
    },
  },
  square: {
    secret: 'square signature key',
    wrongSecret: 'another',
    hasId: true,
    request(secret, hook, { number }) {
      const raw = `{"event_id":"e${number}","type":"payment.created"}`;
      return {
        raw,
        headers: { ...JSON_TYPE, 'x-square-hmacsha256-signature': sign(secret, hook.url + raw, 'sha256', 'base64') },
      };
    },
  },
  calendly: {
    secret: 'calendly signing key',
    wrongSecret: 'another',
    hasTime: true,
    request(secret, _, { number, skew }) {
      const raw = `{"event":"invitee.created","number":${number}}`;
      const time = String(seconds(skew));
      return {
        raw,
        headers: { ...JSON_TYPE, 'calendly-webhook-signature': `t=${time},v1=${sign(secret, `${time}.${raw}`)}` },
      };
    },
  },
  hubspot: {
    secret: 'hubspot client secret',
    wrongSecret: 'another',
    hasTime: true,
    request(secret, hook, { number, skew }) {
      const raw = `[{"eventId":${number},"subscriptionType":"contact.creation"}]`;
      const time = String(seconds(skew) * 1000);
      const signed = `POST${hook.url}?at=12:30${raw}${time}`;
      const headers = {
        'x-hubspot-request-timestamp': time,
        'x-hubspot-signature-v3': sign(secret, signed, 'sha256', 'base64'),
      };
      return { query: '?at=12%3A30', raw, headers: { ...JSON_TYPE, ...headers } };
    },
  },
  trello: {
    secret: 'trello app secret',
    wrongSecret: 'another',
    hasId: true,
    request(secret, hook, { number }) {
      const raw = `{"action":{"id":"a${number}","type":"updateCard"},"webhook":{"id":"w1"},"model":{"id":"m"}}`;
      return { raw, headers: { ...JSON_TYPE, 'x-trello-webhook': sign(secret, raw + hook.url, 'sha1', 'base64') } };
    },
  },
  microsoft_graph: {
    secret: 'graph client state',
    wrongSecret: 'graph client stata',
    request: (secret, _, { number }) => ({
      raw: JSON.stringify({ value: [{ changeType: 'created', clientState: secret, resourceData: { id: number } }] }),
      headers: JSON_TYPE,
    }),
  },
  asana: {
    secret: 'asana hook secret',
    wrongSecret: 'another',
    request(secret, _, { number }) {
      const raw = `{"events":[{"action":"added","resource":{"gid":"${number}"}}]}`;
      return { raw, headers: { ...JSON_TYPE, 'x-hook-signature': sign(secret, raw) } };
    },
  },
  zendesk: {
    secret: 'zendesk signing secret',
    wrongSecret: 'another',
    hasTime: true,
    hasId: true,
    request(secret, _, { number, skew }) {
      const raw = `{"id":"e${number}","type":"zen:event-type:ticket.created"}`;
      const time = new Date(seconds(skew) * 1000).toISOString();
      const headers = {
        'x-zendesk-webhook-signature': sign(secret, time + raw, 'sha256', 'base64'),
        'x-zendesk-webhook-signature-timestamp': time,
      };
      return { raw, headers: { ...JSON_TYPE, ...headers } };
    },
  },
  mailchimp: {
    secret: 'mailchimp secret',
    wrongSecret: 'another',
    request: (secret, _, { number }) => ({
      query: `?${new URLSearchParams({ secret }).toString()}`,
      raw: `type=subscribe&data%5Bid%5D=${number}`,
      headers: FORM_TYPE,
    }),
  },
};

/** They send a token, which covers nothing of the body. */
const TOKEN_SENDERS: WebhookProvider[] = ['gitlab', 'telegram', 'microsoft_graph', 'mailchimp'];

const hookFor = (provider: WebhookProvider): Promise<TestHook> => {
  const { secret, verifyToken } = SENDERS[provider];
  return buildHookWith({ path: 'in/here', verification: { kind: 'provider', provider, secret, verifyToken } });
};

const runsOf = ({ workflowId }: TestHook) => prismaClient().execution.count({ where: { workflowId } });

test.each(WebhookProvider.options)('%s: its own signature is accepted, others are refused', async (provider) => {
  const sender = SENDERS[provider];
  const of = await hookFor(provider);
  const right = await sender.request(sender.secret, of.hook, { number: 1, skew: 0 });
  const accepted = await send(of.hook, right);
  expect([accepted.status, accepted.body.status]).toEqual([202, 'accepted']);
  const execution = await call<ExecutionResponse>('GET', `/api/executions/${accepted.body.executionId}`, {
    token: of.user.token,
  });
  expect(JSON.stringify(execution.body.input)).not.toContain('"secret"');
  const wrong = await sender.request(sender.wrongSecret, of.hook, { number: 2, skew: 0 });
  expect((await send(of.hook, wrong)).status).toBe(401);
  expect(
    (
      await send(of.hook, {
        method: right.method,
        headers: { 'content-type': right.headers['content-type']! },
        raw: '{}',
      })
    ).status,
  ).toBe(401);
  expect(await runsOf(of)).toBe(1);
});

const withTime = WebhookProvider.options.filter((provider) => SENDERS[provider].hasTime);
test.each(withTime)('%s: a clock that is more than 300 seconds off is refused', async (provider) => {
  const sender = SENDERS[provider];
  const of = await hookFor(provider);
  for (const [number, [skew, expected]] of [
    [-310, 401],
    [310, 401],
    [-240, 202],
    [240, 202],
  ].entries()) {
    const { status } = await send(of.hook, await sender.request(sender.secret, of.hook, { number, skew: skew! }));
    expect([skew, status]).toEqual([skew, expected]);
  }
});

const withId = WebhookProvider.options.filter((provider) => SENDERS[provider].hasId);
test.each(withId)('%s: a repeated delivery gets the first run', async (provider) => {
  const sender = SENDERS[provider];
  const of = await hookFor(provider);
  const deliver = async (number: number) =>
    (await send(of.hook, await sender.request(sender.secret, of.hook, { number, skew: 0 }))).body.executionId;
  const first = await deliver(1);
  expect(await deliver(1)).toBe(first);
  expect(await deliver(2)).not.toBe(first);
  expect(await runsOf(of)).toBe(2);
});

test.each(WebhookProvider.options)('%s: a changed body is refused', async (provider) => {
  const sender = SENDERS[provider];
  const of = await hookFor(provider);
  const right = await sender.request(sender.secret, of.hook, { number: 1, skew: 0 });
  const { status } = await send(of.hook, { ...right, raw: right.raw.replace(/\d/, '7') });
  expect(status).toBe(TOKEN_SENDERS.includes(provider) ? 202 : 401);
});

test('mailgun: a token works once, and a form may carry it', async () => {
  const of = await hookFor('mailgun');
  const { secret } = SENDERS.mailgun;
  const timestamp = String(seconds(0));
  const fields = { timestamp, token: 'a', signature: sign(secret, `${timestamp}a`), recipient: 'ada@example.com' };
  const form = (changes = {}) =>
    send(of.hook, { raw: new URLSearchParams({ ...fields, ...changes }).toString(), headers: FORM_TYPE });
  expect((await form()).status).toBe(202);
  expect((await form()).status).toBe(401);
  // The signature does not cover the rest of the body.
  expect((await form({ recipient: 'eve@example.com' })).status).toBe(401);
  expect(await runsOf(of)).toBe(1);
});

test('stripe and paddle sign with two secrets while one is replaced', async () => {
  const of = await hookFor('stripe');
  const raw = '{"id":"evt_9"}';
  const time = seconds(0);
  const right = sign(SENDERS.stripe.secret, `${time}.${raw}`);
  const header = `t=${time},v1=${'0'.repeat(64)},v1=${right},v0=${right}`;
  expect((await send(of.hook, { raw, headers: { ...JSON_TYPE, 'stripe-signature': header } })).status).toBe(202);
  const only = { ...JSON_TYPE, 'stripe-signature': `t=${time},v0=${right}` };
  expect((await send(of.hook, { raw, headers: only })).status).toBe(401);
});

test('twilio: a JSON body is covered by its hash, a get by its address', async () => {
  const { secret } = SENDERS.twilio;
  const of = await buildHookWith({
    path: 'in',
    methods: ['GET', 'POST'],
    verification: { kind: 'provider', provider: 'twilio', secret },
  });
  const raw = '{"a":1}';
  const query = `?bodySHA256=${createHash('sha256').update(raw).digest('hex')}`;
  const signature = twilio.getExpectedTwilioSignature(secret, of.hook.url + query, {});
  const headers = { ...JSON_TYPE, 'x-twilio-signature': signature };
  expect((await send(of.hook, { query, raw, headers })).status).toBe(202);
  expect((await send(of.hook, { query, raw: '{"a":2}', headers })).status).toBe(401);
  const bare = { ...JSON_TYPE, 'x-twilio-signature': twilio.getExpectedTwilioSignature(secret, of.hook.url, {}) };
  expect((await send(of.hook, { raw, headers: bare })).status).toBe(401);
  const get = twilio.getExpectedTwilioSignature(secret, `${of.hook.url}?From=%2B1`, {});
  expect(
    (await send(of.hook, { method: 'GET', query: '?From=%2B1', headers: { 'x-twilio-signature': get } })).status,
  ).toBe(202);
});

test('slack: the address is verified by answering a signed challenge', async () => {
  const of = await hookFor('slack');
  const raw = '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';
  const time = String(seconds(0));
  const headers = (secret: string) => ({
    ...JSON_TYPE,
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${sign(secret, `v0:${time}:${raw}`)}`,
  });
  const { status, body } = await send(of.hook, { raw, headers: headers(SENDERS.slack.secret) });
  expect([status, body]).toEqual([200, { challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P' }]);
  expect((await send(of.hook, { raw, headers: headers('another') })).status).toBe(401);
  expect(await runsOf(of)).toBe(0);
});

test('zoom: the address is verified by hashing a token, if the request is signed', async () => {
  const of = await hookFor('zoom');
  const raw = '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}';
  const time = String(seconds(0));
  const headers = (secret: string) => ({
    ...JSON_TYPE,
    'x-zm-request-timestamp': time,
    'x-zm-signature': `v0=${sign(secret, `v0:${time}:${raw}`)}`,
  });
  const { secret } = SENDERS.zoom;
  const { status, body } = await send(of.hook, { raw, headers: headers(secret) });
  const plainToken = 'qgg8vlvZRS6UYooatFL8Aw';
  expect([status, body]).toEqual([200, { plainToken, encryptedToken: sign(secret, plainToken) }]);
  expect((await send(of.hook, { raw, headers: headers('another') })).status).toBe(401);
  expect((await send(of.hook, { raw, headers: JSON_TYPE })).status).toBe(401);
  expect(await runsOf(of)).toBe(0);
});

test('discord: a signed PING is answered', async () => {
  const of = await hookFor('discord');
  const { secret } = SENDERS.discord;
  const interaction = '{"version":1,"id":"1","token":"t","type":1}';
  const headers = discordSigned(secret, interaction, 0);
  const { 'x-signature-ed25519': signature, 'x-signature-timestamp': time } = headers;
  expect(await verifyKey(interaction, signature, time, secret)).toBe(true);
  const answer = await send(of.hook, { raw: interaction, headers });
  expect([answer.status, answer.body]).toEqual([200, { type: 1 }]);
  const event = '{"version":1,"application_id":"1","type":0}';
  expect((await send(of.hook, { raw: event, headers: discordSigned(secret, event, 0) })).status).toBe(204);
  expect((await send(of.hook, { raw: event, headers })).status).toBe(401);
  expect(await runsOf(of)).toBe(0);
});

test('meta: a subscription with the verify token gets its challenge', async () => {
  const of = await hookFor('meta');
  const subscribe = (verifyToken: string, mode = 'subscribe') =>
    send(of.hook, {
      method: 'GET',
      query: `?${new URLSearchParams({ 'hub.mode': mode, 'hub.verify_token': verifyToken, 'hub.challenge': '1158201444' })}`,
    });
  const { status, body, headers } = await subscribe('token of the subscription');
  expect([status, body, headers.get('content-type')]).toEqual([200, '1158201444', 'text/plain']);
  expect((await subscribe('another')).status).toBe(401);
  expect((await subscribe('token of the subscription', 'unsubscribe')).status).toBe(401);
  expect((await send(of.hook, { method: 'GET' })).status).toBe(405);
  expect(await runsOf(of)).toBe(0);
});

test('the workspace sees no secret of a provider', async () => {
  const of = await hookFor('meta');
  const { body } = await call('GET', `/api/workflows/${of.workflowId}/webhooks`, { token: of.user.token });
  expect(JSON.stringify(body)).not.toMatch(/meta app secret|token of the subscription/);
  expect(body).toMatchObject({
    data: [{ verification: { kind: 'provider', provider: 'meta', secret: '********', verifyToken: '********' } }],
  });
  const stored = JSON.stringify(await prismaClient().webhook.findMany({ where: { workflowId: of.workflowId } }));
  expect(stored).not.toMatch(/meta app secret|token of the subscription/);
});

test('microsoft_graph: the question is answered to everybody, and runs do not see the client state', async () => {
  const of = await hookFor('microsoft_graph');
  const token = 'Validation: <b>Testing</b> client+application';
  const query = `?validationToken=${encodeURIComponent(token)}`;
  const asked = await send(of.hook, { query, headers: { 'content-type': 'text/plain' } });
  expect([asked.status, asked.body, asked.headers.get('content-type')]).toEqual([
    200,
    token,
    'text/plain; charset=utf-8',
  ]);
  const { secret } = SENDERS.microsoft_graph;
  const two = (states: string[]) => JSON.stringify({ value: states.map((clientState) => ({ clientState, a: 1 })) });
  expect((await send(of.hook, { raw: two([secret, 'another']), headers: JSON_TYPE })).status).toBe(401);
  expect((await send(of.hook, { raw: '{"value":[]}', headers: JSON_TYPE })).status).toBe(401);
  const accepted = await send(of.hook, { raw: two([secret, secret]), headers: JSON_TYPE });
  const run = await prismaClient().execution.findUniqueOrThrow({ where: { id: accepted.body.executionId } });
  expect(run.input).toEqual({ value: [{ a: 1 }, { a: 1 }] });
  expect(await runsOf(of)).toBe(1);
});

test('asana: the offered secret is confirmed and not taken, and signs of life start nothing', async () => {
  const of = await hookFor('asana');
  const offered = await send(of.hook, { headers: { 'x-hook-secret': 'of-somebody-else' } });
  expect([offered.status, offered.headers.get('x-hook-secret')]).toEqual([204, 'of-somebody-else']);
  const raw = '{"events":[]}';
  const beat = (secret: string) =>
    send(of.hook, { raw, headers: { ...JSON_TYPE, 'x-hook-signature': sign(secret, raw) } });
  expect((await beat('of-somebody-else')).status).toBe(401);
  expect((await beat(SENDERS.asana.secret)).status).toBe(204);
  expect(await runsOf(of)).toBe(0);
});

test('mailchimp: asks by GET whether the address exists', async () => {
  const of = await hookFor('mailchimp');
  const ask = (secret: string) => send(of.hook, { method: 'GET', query: `?secret=${encodeURIComponent(secret)}` });
  expect((await ask(SENDERS.mailchimp.secret)).status).toBe(200);
  expect((await ask('another')).status).toBe(401);
  expect(await runsOf(of)).toBe(0);
});
