import { createHmac, timingSafeEqual } from 'node:crypto';
import { getRuntime } from '@/server/platform/runtime';

/** The parts of a signed text. The first one is its purpose, because the same keys also sign other tokens. */
type SignedTextParts = [purpose: string, ...texts: string[]];

function signWithSecret(secret: string, parts: SignedTextParts): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64url');
}

/** HMAC-SHA256 under the newest key of JWT_SECRET, as base64url. */
export const signText = (...parts: SignedTextParts): string => signWithSecret(getRuntime().env.jwtSecret, parts);

/**
 * Whether `signature` is that of the text under any key of JWT_SECRET. Takes the same time for every wrong signature.
 */
export function isValidSignature(signature: string, ...parts: SignedTextParts): boolean {
  const candidate = Buffer.from(signature);
  return jwtSecrets().some((secret) => {
    const right = Buffer.from(signWithSecret(secret, parts));
    return candidate.length === right.length && timingSafeEqual(candidate, right);
  });
}

/** All keys of JWT_SECRET, the newest first: it signs, all of them verify. */
export const jwtSecrets = (): string[] => [getRuntime().env.jwtSecret, ...getRuntime().env.oldJwtSecrets];

/** The first result of `read` that is not null, trying the newest key first. */
export async function firstUnderAnySecret<T>(read: (secret: string) => Promise<T | null>): Promise<T | null> {
  for (const secret of jwtSecrets()) {
    const found = await read(secret);
    if (found !== null) return found;
  }
  return null;
}
