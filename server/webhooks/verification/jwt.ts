import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { isSecretKeyAlgorithm } from '@/contract/triggers/webhook-names';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { Cache } from '@/server/cache';
import { request } from '@/server/outbound/outbound';
import type { Verifier } from './verifier';

type Settings = Omit<Extract<WebhookVerification, { kind: 'jwt' }>, 'kind'>;

const FETCH_MS = 5000;
/** A set of keys has a few KiB; parsing it blocks the process. */
const MAX_JWKS_BYTES = 128 * 1024;
/** After a failure the address is left alone for so long: deliveries with invented tokens must not flood it. */
const PAUSE_MS = 10_000;
/** How long the keys are used before they are fetched again; an unknown key id fetches them earlier. */
const CACHE_MS = 600_000;
const COOLDOWN_MS = 30_000;

function remoteKeys(workspaceId: string, url: string): JWTVerifyGetKey {
  let pausedUntil = 0;
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: FETCH_MS,
    cacheMaxAge: CACHE_MS,
    cooldownDuration: COOLDOWN_MS,
    async [customFetch](address) {
      if (Date.now() < pausedUntil) throw new errors.JOSEError('The keys could not be fetched a moment ago.');
      try {
        const headers = { accept: 'application/json' };
        const limits = { timeoutMs: FETCH_MS, maxBytes: MAX_JWKS_BYTES };
        const { status, body } = await request({ workspaceId, url: address, headers, ...limits });
        if (status !== 200) throw new errors.JOSEError(`The address of the keys answered ${status}.`);
        return new Response(new Uint8Array(body), { status });
      } catch (error) {
        pausedUntil = Date.now() + PAUSE_MS;
        throw error;
      }
    },
  });
}

/** Key sets by workspace and address: workspaces do not share connections or failures. */
const keySets = new Cache<string, JWTVerifyGetKey>(500);

const keysOf = (workspaceId: string, url: string) =>
  keySets.get(`${workspaceId} ${url}`, () => remoteKeys(workspaceId, url));

/** The key of a text: PEM for signatures with a public key, else the bytes of a shared secret. Throws if it is neither. */
export function verificationKey(key: string, algorithms: readonly string[]): KeyObject {
  return algorithms.every(isSecretKeyAlgorithm) ? createSecretKey(key, 'utf8') : createPublicKey(key);
}

/** A bearer token (RFC 7519) with the algorithms, issuer and audience that the author expects, and with a time of expiry. */
export function jwtVerifier(
  workspaceId: string,
  { algorithms, key = '', jwksUrl, issuer, audience, allowWithoutExpiry = false }: Settings,
): Verifier {
  const requiredClaims = allowWithoutExpiry ? [] : ['exp'];
  const options = { algorithms: [...algorithms], issuer, audience, requiredClaims };
  const own = jwksUrl === undefined ? verificationKey(key, algorithms) : null;
  return {
    reads: ['authorization'],
    async admits({ headers }) {
      const [, token] = /^Bearer +(\S{1,8192})$/i.exec(headers.get('authorization') ?? '') ?? [];
      if (!token) return false;
      try {
        await (own
          ? jwtVerify(token, own, options)
          : jwtVerify(token, keysOf(workspaceId, jwksUrl as string), options));
        return true;
      } catch {
        return false;
      }
    },
  };
}
