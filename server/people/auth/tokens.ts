import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { LruCache } from '@/server/platform/cache/lru';
import { getRuntime } from '@/server/platform/runtime';
import { firstUnderAnySecret } from '@/server/platform/db/signing';

/** Lifetime of an access token: 24 hours. */
export const ACCESS_TOKEN_SECONDS = 86_400;
/** Lifetime of a refresh token, and of a session, after its last use: 30 days. */
export const SESSION_LIFETIME_SECONDS = 30 * 86_400;

const ACCESS_TOKEN_ISSUER = 'weft';
const ACCESS_TOKEN_AUDIENCE = 'weft-api';
const REQUIRED_TOKEN_CLAIMS = ['sub', 'ws', 'jti', 'iat', 'exp', 'iss', 'aud'];

export interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  /** The workspace of calls that name none; null for people without one. */
  workspaceId: string | null;
  expiresAt: Date;
}

/**
 * A secret of JWT_SECRET, with the claims of the latest tokens that were verified under it: verification is most of the
 * time of a small call.
 */
interface SigningSecret {
  key: KeyObject;
  verified: LruCache<AccessTokenClaims>;
}

const preparedSecrets = new Map<string, SigningSecret>();
/** Tokens in memory, some 500 bytes each. */
const MAX_VERIFIED_TOKENS = 10_000;

/** The few secrets of JWT_SECRET, each prepared once. */
function prepareSigningSecret(text: string): SigningSecret {
  const secret = preparedSecrets.get(text) ?? {
    key: createSecretKey(Buffer.from(text)),
    verified: new LruCache<AccessTokenClaims>(MAX_VERIFIED_TOKENS, MAX_VERIFIED_TOKENS),
  };
  preparedSecrets.set(text, secret);
  return secret;
}

/** Signs with HMAC-SHA256. `jti` is `<session id>.<random>`, so that no two tokens of a session are equal. */
export const issueAccessToken = (of: Omit<AccessTokenClaims, 'expiresAt'>): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ws: of.workspaceId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(of.userId)
    .setJti(`${of.sessionId}.${randomBytes(12).toString('base64url')}`)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
    .setIssuer(ACCESS_TOKEN_ISSUER)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .sign(prepareSigningSecret(getRuntime().env.jwtSecret).key);
};

/** Base 64 allows several spellings, with other last characters or padding. Only the canonical one is accepted. */
const isCanonicalBase64 = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** The claims of a valid, unexpired token. The database decides whether its session is still open. */
export async function readAccessToken(token: string): Promise<AccessTokenClaims | null> {
  if (!token.split('.').every(isCanonicalBase64)) return null;
  return firstUnderAnySecret((secret) => verifyAccessToken(secret, token));
}

async function verifyAccessToken(secret: string, token: string): Promise<AccessTokenClaims | null> {
  const { key, verified } = prepareSigningSecret(secret);
  const known = verified.get(token);
  if (known && known.expiresAt.getTime() > Date.now()) return known;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ACCESS_TOKEN_ISSUER,
      audience: ACCESS_TOKEN_AUDIENCE,
      requiredClaims: REQUIRED_TOKEN_CLAIMS,
      maxTokenAge: ACCESS_TOKEN_SECONDS,
    });
    const { sub = '', jti = '', ws, exp = 0, iat = 0 } = payload;
    const [sessionId = ''] = jti.split('.');
    const hasOnlyClaims = Object.keys(payload).every((name) => REQUIRED_TOKEN_CLAIMS.includes(name));
    if (!hasOnlyClaims || exp - iat !== ACCESS_TOKEN_SECONDS || !(ws === null || typeof ws === 'string')) return null;
    const claims = { userId: sub, sessionId, workspaceId: ws, expiresAt: new Date(exp * 1000) };
    verified.set(token, claims, 1);
    return claims;
  } catch {
    // An invalid token, for any reason, means that the bearer is not signed in.
    return null;
  }
}

export const generateRefreshToken = (): string => `wr_${randomBytes(32).toString('base64url')}`;

/** Refresh tokens are random, so an unsalted hash cannot be searched. */
export const hashRefreshToken = (token: string): string => createHash('sha256').update(token).digest('hex');
