import { isFreshUnixSeconds, matchesHmac } from '../compare';
import { bodyFieldText, readUnverifiedForm, readUnverifiedJson, type WebhookProviderRecord } from '../provider-record';

interface MailgunSignature {
  timestamp: string | null;
  token: string | null;
  signature: string | null;
}

const readMailgunSignature = (body: unknown): MailgunSignature => ({
  timestamp: bodyFieldText(body, 'timestamp'),
  token: bodyFieldText(body, 'token'),
  signature: bodyFieldText(body, 'signature'),
});

/** Events carry the signature as an object, routes as fields of a form. */
const findMailgunSignature = (body: unknown): MailgunSignature => {
  const inner = (body as { signature?: unknown } | null | undefined)?.signature;
  return readMailgunSignature(typeof inner === 'object' ? inner : body);
};

const isFormContentType = (type: string | null) => /^application\/x-www-form-urlencoded\b/i.test(type ?? '');

const MAILGUN_TOKEN_PATTERN = /^[\x21-\x7e]{1,200}$/;

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks : the signature covers a time
 * and a token, not the body, so a token works once.
 */
export const mailgunWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: [],
    isIdSingleUse: true,
    admits: () => true,
    isValid({ headers }, rawBody) {
      const body = isFormContentType(headers.get('content-type'))
        ? Object.fromEntries(readUnverifiedForm(rawBody) ?? [])
        : readUnverifiedJson(rawBody);
      const { timestamp, token, signature } = findMailgunSignature(body);
      if (!isFreshUnixSeconds(timestamp) || token === null || !MAILGUN_TOKEN_PATTERN.test(token)) return false;
      return matchesHmac(signature, { key: secret, encoding: 'hex' }, `${timestamp}${token}`);
    },
    deliveryId: (_, body) => findMailgunSignature(body).token,
  }),
};
