import { visitEscapes, decodeEscapes } from './escapes';

/** Shorter values are not redacted: they occur in ordinary data. */
export const MIN_SECRET_LENGTH = 4;
/** A shorter field or line of a secret may occur in ordinary data. */
const MIN_PART_BYTES = 16;
/** Minimum rest of a secret whose first or last characters merge with its surroundings. */
const MIN_REST_BYTES = 8;
/** Longer secrets are searched in pieces, because a text may contain only some of them. */
const MAX_WHOLE_SECRET_BYTES = 128;
const SECRET_PIECE_BYTES = 64;

const formEncoder = new TextEncoder();
const encodeForm = (text: string): Uint8Array => formEncoder.encode(text);

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let size = 0;
  for (const part of parts) {
    result.set(part, size);
    size += part.length;
  }
  return result;
}

/** All byte sequences that identify a secret in decoded text. */
export function listSecretForms(secret: string): Uint8Array[] {
  return [secret, ...removeAuthScheme(secret), ...listSecretJsonFields(secret)]
    .flatMap(listTextEncodings)
    .flatMap(addDecodedForms)
    .flatMap(splitSecretForm)
    .filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

/** The token of a header such as `Authorization: Bearer …`: receivers may echo it without its scheme. */
const removeAuthScheme = (secret: string) => /^[A-Za-z][\w-]{1,30} +(\S{8,})$/.exec(secret)?.slice(1) ?? [];

/** UTF-8; UTF-8 decoded as Latin-1 and encoded again; single bytes where possible, as `escape` writes them. */
function listTextEncodings(text: string): Uint8Array[] {
  const utf8 = encodeForm(text);
  if (utf8.length === text.length) return [utf8];
  const twice = encodeForm(Array.from(utf8, (byte) => String.fromCharCode(byte)).join(''));
  const short = concatBytes(
    Array.from(text, (character) =>
      character <= '\u00ff' ? Uint8Array.of(character.charCodeAt(0)) : encodeForm(character),
    ),
  );
  return [utf8, twice, short];
}

/** A secret may contain text that looks like escapes. It may be decoded several times where it occurs. */
function addDecodedForms(form: Uint8Array): Uint8Array[] {
  const next = decodeEscapes(form);
  return next?.some((byte) => byte > 0x20) ? [form, ...addDecodedForms(next)] : [form];
}

/** A short form unchanged; of a long one its pieces, those of each line, and those of all lines joined. */
function splitSecretForm(form: Uint8Array): Uint8Array[] {
  if (form.length <= MAX_WHOLE_SECRET_BYTES) return [form, ...listSecretRests(form)];
  const lines = listFormLines(form);
  const body = concatBytes(lines);
  const parts = lines.filter(({ length }) => length >= MIN_PART_BYTES);
  const wholes = lines.length > 1 ? [form, ...parts, body, ...decodePemBody(body)] : [form];
  return wholes
    .map(cutIntoPieces)
    .flatMap((pieces) => [...pieces, ...listSecretRests(pieces.at(0)), ...listSecretRests(pieces.at(-1))]);
}

/** The key inside PEM, found with any line breaks. */
function decodePemBody(body: Uint8Array): Uint8Array[] {
  const text = Array.from(body, (byte) => String.fromCharCode(byte)).join('');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  return isBase64 ? [Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))] : [];
}

/** Consecutive pieces; the last one is longer rather than shorter. */
function cutIntoPieces(form: Uint8Array): Uint8Array[] {
  const count = Math.max(Math.floor(form.length / SECRET_PIECE_BYTES), 1);
  return Array.from({ length: count }, (_, index) =>
    form.subarray(index * SECRET_PIECE_BYTES, index === count - 1 ? form.length : (index + 1) * SECRET_PIECE_BYTES),
  );
}

const NEWLINE_BYTE = 0x0a;
const RETURN_BYTE = 0x0d;
const PEM_BOUNDARY = encodeForm('-----');

/** The lines of a form, without the first and last of PEM, which are equal for all keys. */
function listFormLines(form: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at <= form.length; at += 1) {
    if (at < form.length && form[at] !== NEWLINE_BYTE && form[at] !== RETURN_BYTE) continue;
    const line = form.subarray(from, at);
    if (line.length > 0 && !PEM_BOUNDARY.every((byte, index) => line[index] === byte)) lines.push(line);
    from = at + 1;
  }
  return lines;
}

const SECRET_JSON_FIELD = /key|secret|token|password|passphrase|credential|signature/i;
const PUBLIC_FIELD_NAME = /(?:id|ur[il]|type|name|email)$/i;

/** The secret fields of a secret that is JSON, such as the key file of a service account. */
function listSecretJsonFields(secret: string): string[] {
  const fields: string[] = [];
  if (!/^\s*[{[]/.test(secret)) return fields;
  try {
    JSON.parse(secret, (name, value: unknown) => {
      const isSecret = SECRET_JSON_FIELD.test(name) && !PUBLIC_FIELD_NAME.test(name);
      if (isSecret && typeof value === 'string' && value.length >= MIN_PART_BYTES) fields.push(value.toWellFormed());
      return value;
    });
  } catch {
    // It only looks like JSON.
  }
  return fields;
}

/** Text before or after a secret may form an escape together with it: `%` before `41…`, `\` before `n…`. */
const ESCAPE_BEGINNINGS = ['%', '%4', '%u', '\\', '\\x', '\\u', '&', '&#', '&#x'].map(encodeForm);
const ESCAPE_ENDINGS = ['1', '41', '0041', 'u0041', 'x41', '{41}', 'n', '#65;', 'amp;'].map(encodeForm);

/** The rest of a form if its neighbours form escapes with its first or last characters. */
function listSecretRests(form: Uint8Array = new Uint8Array()): Uint8Array[] {
  const start = form.subarray(0, MIN_PART_BYTES);
  const end = form.subarray(-MIN_PART_BYTES);
  const indexes = new Set<number>();
  for (const before of ESCAPE_BEGINNINGS)
    visitEscapes(concatBytes([before, start]), (from, to) => {
      if (from < before.length && to > before.length) indexes.add(to - before.length);
    });
  const fromStart = Array.from(indexes, (count) => form.subarray(count));
  indexes.clear();
  for (const after of ESCAPE_ENDINGS)
    visitEscapes(concatBytes([end, after]), (from, to) => {
      if (from < end.length && to > end.length) indexes.add(end.length - from);
    });
  const fromEnd = Array.from(indexes, (count) => form.subarray(0, -count));
  return [...fromStart, ...fromEnd].filter(({ length }) => length >= MIN_REST_BYTES);
}
