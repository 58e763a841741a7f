import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { Lru } from '@/server/lru';
import { runtime } from '@/server/runtime';
import { underAnyKey } from '@/server/db/signing';

/** Lifetime of an access token: 24 hours. */
export const ACCESS_SECONDS = 86_400;
/** Lifetime of a refresh token, and of a session, after its last use: 30 days. */
export const SESSION_SECONDS = 30 * 86_400;

const ISSUER = 'weft';
const AUDIENCE = 'weft-api';
const CLAIMS = ['sub', 'ws', 'jti', 'iat', 'exp', 'iss', 'aud'];

export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** The workspace of calls that name none; null for people without one. */
  workspaceId: string | null;
  expiresAt: Date;
}

/** A secret of JWT_SECRET, with the claims of the latest tokens that were verified under it: verification is most of the time of a small call. */
interface Secret {
  key: KeyObject;
  verified: Lru<AccessClaims>;
}

const secrets = new Map<string, Secret>();
/** Tokens in memory, some 500 bytes each. */
const MAX_VERIFIED = 10_000;

/** The few secrets of JWT_SECRET, each prepared once. */
function prepared(text: string): Secret {
  const secret = secrets.get(text) ?? {
    key: createSecretKey(Buffer.from(text)),
    verified: new Lru<AccessClaims>(MAX_VERIFIED, MAX_VERIFIED),
  };
  secrets.set(text, secret);
  return secret;
}

/** Signs with HMAC-SHA256. `jti` is `<session id>.<random>`, so that no two tokens of a session are equal. */
export const issueAccessToken = (of: Omit<AccessClaims, 'expiresAt'>): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ws: of.workspaceId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(of.userId)
    .setJti(`${of.sessionId}.${randomBytes(12).toString('base64url')}`)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_SECONDS)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .sign(prepared(runtime().env.jwtSecret).key);
};

/** Base 64 allows several spellings, with other last characters or padding. Only the canonical one is accepted. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** The claims of a valid, unexpired token. The database decides whether its session is still open. */
export async function readAccessToken(token: string): Promise<AccessClaims | null> {
  if (!token.split('.').every(isCanonical)) return null;
  return underAnyKey((secret) => readUnder(secret, token));
}

async function readUnder(secret: string, token: string): Promise<AccessClaims | null> {
  const { key, verified } = prepared(secret);
  const known = verified.get(token);
  if (known && known.expiresAt.getTime() > Date.now()) return known;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: CLAIMS,
      maxTokenAge: ACCESS_SECONDS,
    });
    const { sub = '', jti = '', ws, exp = 0, iat = 0 } = payload;
    const [sessionId = ''] = jti.split('.');
    const hasOnlyClaims = Object.keys(payload).every((name) => CLAIMS.includes(name));
    if (!hasOnlyClaims || exp - iat !== ACCESS_SECONDS || !(ws === null || typeof ws === 'string')) return null;
    const claims = { userId: sub, sessionId, workspaceId: ws, expiresAt: new Date(exp * 1000) };
    verified.set(token, claims, 1);
    return claims;
  } catch {
    // An invalid token, for any reason, means that the bearer is not signed in.
    return null;
  }
}

export const newRefreshToken = (): string => `wr_${randomBytes(32).toString('base64url')}`;

/** Refresh tokens are random, so an unsalted hash cannot be searched. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');
