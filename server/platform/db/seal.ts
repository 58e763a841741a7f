import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A 32-byte key derived from the operator's text (32 bytes or more). */
const deriveSealKey = (secret: string) => createHash('sha256').update(secret).digest();

/** Four bytes that identify a key, so that several keys need no trial decryption. */
const sealKeyId = (key: Buffer) => createHash('sha256').update(key).digest().subarray(0, 4);

/**
 * Encrypts `plain` with AES-256-GCM under the first of `keys`. `boundTo` (for example `credential:cred_x`) is
 * authenticated and not stored: a ciphertext moved to another row does not open there. Returns base64url text.
 */
export function sealText(plain: string, boundTo: string, keys: string[]): string {
  const [first] = keys;
  if (!first) throw new Error('no encryption key');
  const key = deriveSealKey(first);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([sealKeyId(key), nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Opens the result of `sealText`. Throws if no key fits, or the text was changed or moved. */
export function openSealedText(sealed: string, boundTo: string, keys: string[]): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const key = keys.map(deriveSealKey).find((candidate) => sealKeyId(candidate).equals(bytes.subarray(0, 4)));
  if (!key) throw new Error('sealed under a key that is not configured');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(4, 16))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(16, 32));
  return Buffer.concat([decipher.update(bytes.subarray(32)), decipher.final()]).toString('utf8');
}

/** Whether `sealText` would use the same key today. */
export const isSealedUnderNewest = (sealed: string, [newest = '']: string[]): boolean =>
  sealKeyId(deriveSealKey(newest)).equals(Buffer.from(sealed, 'base64url').subarray(0, 4));
