import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { runtime } from '../runtime';

/** An access token lives 24 hours. */
export const ACCESS_SECONDS = 86_400;
/** A refresh token, and with it a session, lives 30 days from its last use. */
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

let cached: { secret: string; key: KeyObject } | undefined;

function signingKey(): KeyObject {
  const secret = runtime().env.jwtSecret;
  if (cached?.secret !== secret) cached = { secret, key: createSecretKey(Buffer.from(secret)) };
  return cached.key;
}

/** Signs with HMAC-SHA256. `jti` is `<session id>.<randomness>`, so that no two tokens of a session are alike. */
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
    .sign(signingKey());
};

/** Base 64 may be spelt in several ways, with other last characters or padding; a token of ours is spelt in one. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** What a token says, if it is ours and not over. Whether its session still lives is for the database to say. */
export async function readAccessToken(token: string): Promise<AccessClaims | null> {
  if (!token.split('.').every(isCanonical)) return null;
  try {
    const { payload } = await jwtVerify(token, signingKey(), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: CLAIMS,
      maxTokenAge: ACCESS_SECONDS,
    });
    const { sub = '', jti = '', ws, exp = 0, iat = 0 } = payload;
    const [sessionId = ''] = jti.split('.');
    const known = Object.keys(payload).every((name) => CLAIMS.includes(name));
    if (!known || exp - iat !== ACCESS_SECONDS || !(ws === null || typeof ws === 'string')) return null;
    return { userId: sub, sessionId, workspaceId: ws, expiresAt: new Date(exp * 1000) };
  } catch {
    // Whatever is wrong with a token, its bearer is simply not signed in.
    return null;
  }
}

export const newRefreshToken = (): string => `wr_${randomBytes(32).toString('base64url')}`;

/** Refresh tokens are random enough that a plain hash can't be searched. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');
