import { randomBytes } from 'node:crypto';

/** A webhook at the stand-in. */
export interface StandInWebhook {
  id: string;
  url: string;
  secret: string;
  events: string[];
  /** The path under which it was made. */
  owner: string;
  /** When the provider ends it. */
  expiresAt?: number;
}

/** Calls an address of the service, as the provider does before it makes a webhook. */
export type ReachAddress = (
  method: string,
  url: string,
  headers?: Record<string, string>,
) => Promise<{ status: number; headers: Headers; text: string }>;

export interface ProviderCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  form: URLSearchParams;
  /** Where the stand-in is. */
  origin: string;
}

export type ProviderReply = { status: number; body?: unknown; headers?: Record<string, string> };

export type ProviderRules = (
  call: ProviderCall,
  webhooks: StandInWebhook[],
  reach: ReachAddress,
) => ProviderReply | Promise<ProviderReply>;

export const nextId = () => String(1_000_000 + randomBytes(3).readUIntBE(0, 3));
export const NOT_FOUND: ProviderReply = { status: 404, body: { message: 'Not Found' } };

/** A part of the path of a call; '' if it has another form. */
const partOfPath = (pattern: RegExp, { path }: ProviderCall): string | null => {
  const found = pattern.exec(path);
  return found && (found[1] ?? '');
};

/** The webhooks of a provider as a collection: what differs between providers that offer the same by REST. */
export interface WebhookCollection {
  /** The path of the collection; its first group is what the webhooks belong to. */
  collection: RegExp;
  /** The path of one webhook; its first group is the id. */
  item: RegExp;
  /** What a call asks for. */
  read(call: ProviderCall): Pick<StandInWebhook, 'url' | 'events'> & { secret?: string; lifeMs?: number };
  shown(webhook: StandInWebhook): unknown;
  listed(webhooks: unknown[], call: ProviderCall): unknown;
  /** The answer to the call that has made one; default: as it is shown. */
  made?(webhook: StandInWebhook): unknown;
  /** The provider makes the secret. */
  makesSecret?: true;
  makeId?(call: ProviderCall): string;
  /** The provider asks the address before it makes the webhook; false: it is the wrong one. */
  confirms?(webhook: StandInWebhook, reach: ReachAddress): Promise<boolean>;
  /** The method that makes one; PUT replaces one with the same id. */
  method?: 'POST' | 'PUT';
  /** Other calls. */
  others?(call: ProviderCall, webhooks: StandInWebhook[]): ProviderReply | undefined;
}

/** The rules of a provider with a collection of webhooks. */
export const collectionRules =
  (kind: WebhookCollection): ProviderRules =>
  async (call, webhooks, reach) => {
    const other = kind.others?.(call, webhooks);
    if (other) return other;
    const owner = partOfPath(kind.collection, call);
    if (owner !== null && call.method === 'GET') {
      const own = webhooks.filter((webhook) => webhook.owner === owner).map(kind.shown);
      return { status: 200, body: kind.listed(own, call) };
    }
    const isMade = call.method === (kind.method ?? 'POST') && (owner !== null || kind.method === 'PUT');
    if (isMade) return makeInCollection(kind, call, webhooks, reach);
    const id = partOfPath(kind.item, call);
    const index = webhooks.findIndex((webhook) => webhook.id === id);
    const found = webhooks[index];
    if (!found) return NOT_FOUND;
    if (call.method === 'GET') return { status: 200, body: kind.shown(found) };
    if (call.method === 'PATCH') {
      found.expiresAt = Date.now() + (kind.read(call).lifeMs ?? 0);
      return { status: 200, body: kind.shown(found) };
    }
    webhooks.splice(index, 1);
    return { status: 204 };
  };

async function makeInCollection(
  kind: WebhookCollection,
  call: ProviderCall,
  webhooks: StandInWebhook[],
  reach: ReachAddress,
): Promise<ProviderReply> {
  const { url, events, secret = '', lifeMs } = kind.read(call);
  const made: StandInWebhook = {
    id: kind.makeId?.(call) ?? nextId(),
    url,
    events,
    secret: kind.makesSecret ? randomBytes(16).toString('hex') : secret,
    owner: partOfPath(kind.collection, call) ?? '',
    ...(lifeMs !== undefined && { expiresAt: Date.now() + lifeMs }),
  };
  if (kind.confirms && !(await kind.confirms(made, reach)))
    return { status: 400, body: { message: 'The address does not answer as it should.' } };
  const before = webhooks.findIndex(({ id }) => id === made.id);
  if (before >= 0) webhooks.splice(before, 1);
  webhooks.push(made);
  return { status: 201, body: (kind.made ?? kind.shown)(made) };
}
