import { isSameTextConstantTime } from '../compare';
import { bodyFieldText, readUnverifiedJson, type WebhookProviderRecord } from '../provider-record';
import type { DeliveryHead } from '../verifier';

const MAX_VALIDATION_TOKEN_LENGTH = 2000;
const CLIENT_STATE = 'clientState';

/** Microsoft Graph asks whether the address is the right one: the token is in the query. */
const validationToken = ({ method, rawQuery }: DeliveryHead): string | null =>
  method === 'POST' && rawQuery.includes('validationToken=')
    ? new URLSearchParams(rawQuery).get('validationToken')
    : null;

const listNotifications = (body: unknown): unknown[] => {
  const value: unknown = typeof body === 'object' && body !== null && 'value' in body ? body.value : null;
  return Array.isArray(value) ? value : [];
};

/**
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks : each notification carries the
 * `clientState` of its subscription.
 */
export const microsoftGraphWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: [],
    admits: () => true,
    isValid(head, rawBody) {
      // The question starts nothing: it is answered to everybody, as text.
      if (validationToken(head) !== null) return true;
      const states = listNotifications(readUnverifiedJson(rawBody)).map((one) => bodyFieldText(one, CLIENT_STATE));
      return states.length > 0 && states.every((state) => state !== null && isSameTextConstantTime(state, secret));
    },
    challenge(head) {
      const token = validationToken(head);
      if (token === null) return null;
      const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' };
      return new Response(token.slice(0, MAX_VALIDATION_TOKEN_LENGTH), { headers });
    },
    withoutSecret(body) {
      const notifications = listNotifications(body);
      if (notifications.length === 0) return body;
      const value = notifications.map((one) =>
        typeof one === 'object' && one !== null
          ? Object.fromEntries(Object.entries(one).filter(([name]) => name !== CLIENT_STATE))
          : one,
      );
      return { ...(body as object), value };
    },
  }),
};
