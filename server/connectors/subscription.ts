import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { WebhookProvider } from '@/contract/triggers/webhook-verification';
import type { ApiRequest, ApiResponse } from './operation';
import type { ParameterShape } from './parameters';

/** What a provider shall send, and where. */
export interface SubscriptionTarget {
  /** The address of the webhook of the service. */
  url: string;
  /** The id of the event. */
  event: string;
  parameters: Record<string, unknown>;
}

/** A webhook at a provider. */
export interface ProviderWebhook {
  externalId: string;
  /** When the provider ends it; null: it does not say so. */
  expiresAt: Date | null;
  /** The secret that the provider signs with, if the provider has made it. */
  secret?: string;
}

/** Requests to a provider, one after the other. The generator is pure, and is tested without a network. */
export type ProviderRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

/**
 * How deliveries of a provider are verified: by its own rules, by an HMAC of the body, by a password, or by a header
 * that carries the secret.
 */
export type SubscriptionVerification =
  | { kind: 'provider'; provider: WebhookProvider }
  | { kind: 'signature'; header: string; algorithm: 'sha256'; encoding: 'hex' | 'base64'; prefix: string }
  | { kind: 'basic'; username: string }
  | { kind: 'header'; name: string };

/** An event that a provider reports to webhooks. */
export interface SubscribedEvent {
  /** In the words of the provider: `pull_request`. */
  id: string;
  /** In the palette: `New pull request`. */
  title: string;
  /** Lower-case words that people search for. */
  words?: string;
  /** What people choose: a repository, a form. */
  parameters: ParameterShape;
  /** The body of a delivery. */
  example: unknown;
}

/**
 * How webhooks of a provider are made and removed by its API. After a crash `find` shows whether an earlier attempt has
 * made one, so that none is made twice.
 */
export interface ConnectorSubscriptions {
  /** How deliveries are verified. */
  verification: SubscriptionVerification;
  /** Where the provider's documentation describes the calls. */
  source: string;
  /**
   * Who makes the secret; absent: the service. `provider`: a webhook that is found again is made anew, because its
   * secret cannot be read. `app`: deliveries are signed with the secret of the app by which the account was connected.
   * `attempt`: the service, with each attempt another one, because a webhook whose answer was lost cannot be found and
   * removed: its deliveries are then refused.
   */
  secretFrom?: 'provider' | 'app' | 'attempt';
  /** The input of runs; absent: the body of the delivery. `request`: what matters is in its headers. */
  input?: 'request';
  /**
   * An account has one webhook: returns what identifies the account. The first workflow of an account is served, and
   * others are refused.
   */
  identifyAccount?(): ProviderRequests<string>;
  events: SubscribedEvent[];
  /**
   * Returns the provider's webhook at the address of the target; null: there is none. `externalId`: the webhook that
   * the service knows, for a provider that has no list of them.
   */
  find(target: SubscriptionTarget & { externalId: string | null }): ProviderRequests<ProviderWebhook | null>;
  /** `secret`: what the provider shall sign with. */
  create(target: SubscriptionTarget & { secret: string }): ProviderRequests<ProviderWebhook>;
  /** Extends the life of a webhook that ends; returns its new end. Absent: another one replaces it. */
  renew?(externalId: string, target: SubscriptionTarget): ProviderRequests<Date | null>;
  remove(externalId: string, target: SubscriptionTarget): ProviderRequests<void>;
}

/** Finds the element at an address in pages of a list. `read` returns the requests of a page, from 1. */
export function* findInPages<Item>(
  read: (page: number) => ApiRequest,
  itemsOfPage: (answer: ApiResponse) => Item[],
  isWanted: (item: Item) => boolean,
  pageSize: number,
): ProviderRequests<Item | null> {
  for (let page = 1; page <= MAX_SEARCHED_PAGES; page += 1) {
    const items = itemsOfPage(yield read(page));
    const found = items.find(isWanted);
    if (found) return found;
    if (items.length < pageSize) return null;
  }
  return null;
}

/** The same in pages that a token of the page before leads to. `at`: dotted paths of the items and of the token. */
export function* findByToken<Item>(
  read: (token: string | undefined) => ApiRequest,
  at: { items: string; token: string },
  isWanted: (item: Item) => boolean,
): ProviderRequests<Item | null> {
  let token: string | undefined;
  for (let page = 1; page <= MAX_SEARCHED_PAGES; page += 1) {
    const { body } = yield read(token);
    const found = ((getAtPath(body, at.items) ?? []) as Item[]).find(isWanted);
    if (found) return found;
    const next = getAtPath(body, at.token);
    if (typeof next !== 'string' || next === '' || next === token) return null;
    token = next;
  }
  return null;
}

/** No account has more webhooks than these pages hold. */
const MAX_SEARCHED_PAGES = 20;
