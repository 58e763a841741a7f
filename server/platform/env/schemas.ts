import { z } from 'zod';
import { parseAllowedHosts } from './host-rules';

// The schemas of variables, which are texts.

export const wholeNumberSchema = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
export const oneOfSchema = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });
export const booleanSchema = oneOfSchema('true', 'false').transform((text) => text === 'true');
export const addressSchema = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
export const allowedHostsSchema = z.string().transform((text, context) => {
  const rules = parseAllowedHosts(text);
  if (rules) return rules;
  context.addIssue({
    code: 'custom',
    message:
      'must be names, addresses and networks such as db.internal, *.corp.example, 10.1.0.0/16, separated by commas',
  });
  return z.NEVER;
});
/** An address without a protocol is read as one of http, as other programs do. */
export const proxyAddressSchema = z
  .string()
  .transform((text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`))
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '', {
    error: 'must be the address of a proxy, such as http://proxy.internal:3128',
  });
export const websiteAddressSchema = addressSchema('http:', 'https:')
  .refine((text) => !/[?#]/.test(text), { error: 'must have neither query nor fragment' })
  .transform((text) => text.replace(/\/+$/, ''));
/** The forms that the field `Contact` of RFC 9116 accepts. */
export const securityContactSchema = z
  .string()
  .refine((text) => /^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(text) && URL.canParse(text), {
    error: 'must be a contact that begins with mailto:, https:// or tel:',
  });
export const utf8ByteLength = (text: string) => Buffer.byteLength(text);
/**
 * Several secrets separated by commas. A text with a shorter part is one secret that contains commas; the whole text is
 * the last of several, because it may be a secret from the time when there was only one.
 */
export const signingSecretsSchema = z
  .string()
  .refine((text) => utf8ByteLength(text) >= 32, { error: 'must have at least 32 bytes' })
  .transform((text) => {
    const parts = text.split(',').map((key) => key.trim());
    if (parts.length === 1 || parts.some((part) => utf8ByteLength(part) < 32)) return [text];
    return [...parts, text];
  });
export const encryptionKeysSchema = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((keys) => keys.every((key) => utf8ByteLength(key) >= 32), {
    error: 'must be one key of at least 32 bytes, or several separated by commas, the newest first',
  });
const isOriginOrAny = (text: string) =>
  text === '*' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text);
export const originsSchema = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((all) => all.every(isOriginOrAny), {
    error: 'must be origins such as https://app.example.com, separated by commas, or *',
  });
/** Whether an address names a bucket and no odd endpoint. */
export function isStorageAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, searchParams } = new URL(text);
  const endpoint = searchParams.get('endpoint') ?? 'https://s3.amazonaws.com';
  return hostname !== '' && URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol);
}
