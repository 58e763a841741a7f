import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { isSecretKeyAlgorithm } from '@/contract/triggers/webhook-constants';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { BoundedCache } from '@/server/platform/cache/cache';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import type { WebhookVerifier } from './verifier';

type JwtVerifierSettings = Omit<Extract<WebhookVerification, { kind: 'jwt' }>, 'kind'>;

const JWKS_FETCH_TIMEOUT_MS = 5000;
/** A set of keys has a few KiB; parsing it blocks the process. */
const MAX_JWKS_BYTES = 128 * 1024;
/**
 * After a failure the address is not called for this long, because deliveries with invented tokens must not flood it.
 */
const JWKS_FAILURE_PAUSE_MS = 10_000;
/** How long the keys are used before they are fetched again; an unknown key id fetches them earlier. */
const JWKS_CACHE_MS = 600_000;
const JWKS_COOLDOWN_MS = 30_000;

function createRemoteKeySet(workspaceId: string, url: string): JWTVerifyGetKey {
  let pausedUntil = 0;
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: JWKS_FETCH_TIMEOUT_MS,
    cacheMaxAge: JWKS_CACHE_MS,
    cooldownDuration: JWKS_COOLDOWN_MS,
    async [customFetch](address) {
      if (Date.now() < pausedUntil) throw new errors.JOSEError('The keys could not be fetched a moment ago.');
      try {
        const headers = { accept: 'application/json' };
        const limits = { timeoutMs: JWKS_FETCH_TIMEOUT_MS, maxBytes: MAX_JWKS_BYTES };
        const { status, body } = await sendOutboundRequest({ workspaceId, url: address, headers, ...limits });
        if (status !== 200) throw new errors.JOSEError(`The address of the keys answered ${status}.`);
        return new Response(new Uint8Array(body), { status });
      } catch (error) {
        pausedUntil = Date.now() + JWKS_FAILURE_PAUSE_MS;
        throw error;
      }
    },
  });
}

/** Key sets by workspace and address: workspaces do not share connections or failures. */
const remoteKeySets = new BoundedCache<string, JWTVerifyGetKey>(500);

const findRemoteKeySet = (workspaceId: string, url: string) =>
  remoteKeySets.get(`${workspaceId} ${url}`, () => createRemoteKeySet(workspaceId, url));

/**
 * The key of a text: PEM for signatures with a public key, else the bytes of a shared secret. Throws if it is neither.
 */
export function createVerificationKey(key: string, algorithms: readonly string[]): KeyObject {
  return algorithms.every(isSecretKeyAlgorithm) ? createSecretKey(key, 'utf8') : createPublicKey(key);
}

/**
 * A bearer token (RFC 7519) with the algorithms, issuer and audience that the author expects, and with a time of
 * expiry.
 */
export function createJwtVerifier(
  workspaceId: string,
  { algorithms, key = '', jwksUrl, issuer, audience, allowWithoutExpiry = false }: JwtVerifierSettings,
): WebhookVerifier {
  const requiredClaims = allowWithoutExpiry ? [] : ['exp'];
  const options = { algorithms: [...algorithms], issuer, audience, requiredClaims };
  const own = jwksUrl === undefined ? createVerificationKey(key, algorithms) : null;
  return {
    reads: ['authorization'],
    async admits({ headers }) {
      const [, token] = /^Bearer +(\S{1,8192})$/i.exec(headers.get('authorization') ?? '') ?? [];
      if (!token) return false;
      try {
        await (own
          ? jwtVerify(token, own, options)
          : jwtVerify(token, findRemoteKeySet(workspaceId, jwksUrl as string), options));
        return true;
      } catch {
        return false;
      }
    },
  };
}
