import { createHmac } from 'node:crypto';
import type { ProviderCall, ProviderRules } from './webhook-collection';

/** A delivery as a provider sends it. */
export interface ProviderDelivery {
  raw?: string;
  query?: string;
  headers: Record<string, string>;
}

/** A provider as its documentation describes it, for tests of subscriptions. */
export interface SubscribedProvider {
  rules: ProviderRules;
  /** Behind the address of the stand-in. */
  basePath?: string;
  /** The credential of an account; absent: connected by OAuth. */
  token?: Record<string, string>;
  event: string;
  parameters: Record<string, unknown>;
  /** Signs with the secret of the app. */
  signsWithApp?: true;
  /** An account has one webhook: its id is that of the account. */
  hasOne?: true;
  /** Its webhooks end. */
  ends?: true;
  delivery(secret: string, url: string): ProviderDelivery;
}

export const JSON_BODY_TYPE = { 'content-type': 'application/json' };
export const FORM_BODY_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
export const hmacText = (secret: string, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding);
const unixSeconds = () => Math.floor(Date.now() / 1000);
export const textValue = (value: unknown) => (typeof value === 'string' ? value : '');
export const objectFields = (value: unknown) => (value ?? {}) as Record<string, unknown>;
export const listTrueFlags = (fields: Record<string, unknown>) =>
  Object.keys(fields).filter((name) => fields[name] === true);
export const lifeUntilMs = (end: unknown) => new Date(textValue(end)).getTime() - Date.now();
export const signWithTime = (secret: string, raw: string) => {
  const time = unixSeconds();
  return `t=${time},v1=${hmacText(secret, `${time}.${raw}`)}`;
};

export const listBodyEvents = ({ body }: ProviderCall) => body['events'] as string[];
