import { isFresh, isHmac } from '../compare';
import { fieldOf, unverifiedForm, unverifiedJson, type Provider } from '../provider-record';

interface Signed {
  timestamp: string | null;
  token: string | null;
  signature: string | null;
}

const signedIn = (body: unknown): Signed => ({
  timestamp: fieldOf(body, 'timestamp'),
  token: fieldOf(body, 'token'),
  signature: fieldOf(body, 'signature'),
});

/** Events carry the signature as an object, routes as fields of a form. */
const partOf = (body: unknown): Signed => {
  const inner = (body as { signature?: unknown } | null | undefined)?.signature;
  return signedIn(typeof inner === 'object' ? inner : body);
};

const isForm = (type: string | null) => /^application\/x-www-form-urlencoded\b/i.test(type ?? '');

const TOKEN = /^[\x21-\x7e]{1,200}$/;

/**
 * https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks : the signature covers a time and a token, not the
 * body, so a token works once.
 */
export const mailgun: Provider = {
  verifier: ({ secret }) => ({
    reads: [],
    isIdSingleUse: true,
    admits: () => true,
    isValid({ headers }, rawBody) {
      const body = isForm(headers.get('content-type'))
        ? Object.fromEntries(unverifiedForm(rawBody) ?? [])
        : unverifiedJson(rawBody);
      const { timestamp, token, signature } = partOf(body);
      if (!isFresh(timestamp) || token === null || !TOKEN.test(token)) return false;
      return isHmac(signature, { key: secret, encoding: 'hex' }, `${timestamp}${token}`);
    },
    deliveryId: (_, body) => partOf(body).token,
  }),
};
