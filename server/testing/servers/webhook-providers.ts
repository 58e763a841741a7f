import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOn, textOf } from '../listen';
import {
  nextId,
  type ProviderCall,
  type ProviderReply,
  type ProviderRules,
  type ReachAddress,
  type StandInWebhook,
} from './webhook-collection';

/**
 * The webhooks of a provider as its API documents them. `before` answers a call in place of it; an answer of undefined
 * leaves the call to the stand-in. `after` is told when a call has had its effect, and may end the connection.
 */
export interface WebhookProviderServer {
  url: string;
  webhooks: StandInWebhook[];
  calls: string[];
  before: (call: ProviderCall) => ProviderReply | undefined;
  after: (call: ProviderCall) => 'answer' | 'hang up';
  reach: ReachAddress;
  close(): Promise<void>;
}

/** https://docs.github.com/en/rest/repos/webhooks */
const githubRules: ProviderRules = ({ method, path, query, body }, webhooks) => {
  const [, owner = '', id] = /^(\/repos\/[^/]+\/[^/]+)\/hooks(?:\/(\d+))?$/.exec(path) ?? [];
  const own = webhooks.filter((webhook) => webhook.owner === owner);
  const shown = ({ id: hookId, url, events }: StandInWebhook) => ({
    type: 'Repository',
    id: Number(hookId),
    name: 'web',
    active: true,
    events,
    config: { url, content_type: 'json', insecure_ssl: '0', secret: '********' },
  });
  if (owner === '') return { status: 404, body: { message: 'Not Found' } };
  if (method === 'GET' && id === undefined) {
    const [size, page] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)];
    return { status: 200, body: own.slice((page - 1) * size, page * size).map(shown) };
  }
  if (method === 'POST') {
    const { url, secret } = body['config'] as { url: string; secret: string };
    const events = body['events'] as string[];
    // GitHub refuses a second webhook with the same address and events.
    if (own.some((webhook) => webhook.url === url && webhook.events.join() === events.join()))
      return {
        status: 422,
        body: { message: 'Validation Failed', errors: [{ message: 'Hook already exists on this repository' }] },
      };
    const made = { id: nextId(), url, secret, events, owner };
    webhooks.push(made);
    return { status: 201, body: shown(made) };
  }
  const index = webhooks.findIndex((webhook) => webhook.id === id && webhook.owner === owner);
  if (index < 0) return { status: 404, body: { message: 'Not Found' } };
  webhooks.splice(index, 1);
  return { status: 204 };
};

/** https://core.telegram.org/bots/api#setwebhook : a bot has one webhook, and its token is part of the path. */
const telegramRules: ProviderRules = ({ path, body }, webhooks) => {
  const [, bot = '', call = ''] = /^\/bot(\d+):[\w-]+\/(\w+)$/.exec(path) ?? [];
  const ok = (result: unknown) => ({ status: 200, body: { ok: true, result } });
  const index = webhooks.findIndex(({ owner }) => owner === bot);
  if (call === 'getMe') return ok({ id: Number(bot), is_bot: true, username: 'weft_bot' });
  if (call === 'getWebhookInfo') return ok({ url: webhooks[index]?.url ?? '', pending_update_count: 0 });
  if (index >= 0) webhooks.splice(index, 1);
  if (call === 'setWebhook') {
    const events = (body['allowed_updates'] as string[] | undefined) ?? [];
    webhooks.push({ id: bot, url: String(body['url']), secret: String(body['secret_token']), events, owner: bot });
  }
  return ok(true);
};

/** https://docs.stripe.com/api/webhook_endpoints : the secret is shown once, when the endpoint is made. */
const stripeRules: ProviderRules = ({ method, path, form }, webhooks) => {
  const id = /^\/webhook_endpoints\/(\w+)$/.exec(path)?.[1];
  const shown = ({ id: endpoint, url, events }: StandInWebhook) => ({
    id: endpoint,
    object: 'webhook_endpoint',
    url,
    enabled_events: events,
    status: 'enabled',
  });
  if (method === 'GET') return { status: 200, body: { object: 'list', data: webhooks.map(shown), has_more: false } };
  if (method === 'POST') {
    const made = {
      id: `we_${nextId()}`,
      url: form.get('url') ?? '',
      secret: `whsec_${randomBytes(16).toString('hex')}`,
      events: form.getAll('enabled_events[0]'),
      owner: '',
    };
    webhooks.push(made);
    return { status: 200, body: { ...shown(made), secret: made.secret } };
  }
  const index = webhooks.findIndex((webhook) => webhook.id === id);
  if (index < 0) return { status: 404, body: { error: { message: `No such webhook endpoint: '${id}'` } } };
  webhooks.splice(index, 1);
  return { status: 200, body: { id, deleted: true } };
};

/** The providers with rules of their own; others are collections of webhooks. */
export const OWN_PROVIDER_RULES = { github: githubRules, telegram: telegramRules, stripe: stripeRules };

/** Starts a stand-in for a provider. */
export async function openWebhookProvider(
  provider: keyof typeof OWN_PROVIDER_RULES | ProviderRules,
): Promise<WebhookProviderServer> {
  const answerCall = typeof provider === 'function' ? provider : OWN_PROVIDER_RULES[provider];
  const server: Omit<WebhookProviderServer, 'url' | 'close'> = {
    webhooks: [],
    calls: [],
    before: () => undefined,
    after: () => 'answer',
    reach: () => Promise.reject(new Error('The address cannot be reached.')),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
    const text = await textOf(request);
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const call: ProviderCall = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      body: isForm || text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      form: new URLSearchParams(isForm ? text : ''),
      origin: `http://${request.headers.host}`,
    };
    server.calls.push(`${call.method} ${pathname.replace(/^\/bot[^/]*/, '')}`);
    const { status, body, headers } = server.before(call) ?? (await answerCall(call, server.webhooks, server.reach));
    if (server.after(call) === 'hang up') return void request.socket.destroy();
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(body === undefined ? '' : JSON.stringify(body));
  };
  const listening = await listenOn((request, response) => void handle(request, response));
  return Object.assign(server, { url: listening.url, close: () => listening.close() });
}

/** The headers of a delivery of GitHub. */
export const githubDeliveryHeaders = (secret: string, raw: string, event: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': randomBytes(8).toString('hex'),
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
});
