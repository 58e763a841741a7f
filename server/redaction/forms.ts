import { eachEscape, unescaped } from './escapes';

/** Shorter values are not redacted: they occur in ordinary data. */
export const SHORTEST = 4;
/** A shorter field or line of a secret may occur in ordinary data. */
const SHORTEST_PART = 16;
/** Minimum rest of a secret whose first or last characters merge with its surroundings. */
const SHORTEST_REST = 8;
/** Longer secrets are searched in pieces, because a text may contain only some of them. */
const LONG = 128;
const PIECE = 64;

const encoder = new TextEncoder();
const encoded = (text: string): Uint8Array => encoder.encode(text);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let size = 0;
  for (const part of parts) {
    result.set(part, size);
    size += part.length;
  }
  return result;
}

/** All byte sequences that identify a secret in decoded text. */
export function formsOf(secret: string): Uint8Array[] {
  return [secret, ...withoutScheme(secret), ...secretFields(secret)]
    .flatMap(encodingsOf)
    .flatMap(withUnescaped)
    .flatMap(piecesOf)
    .filter(({ length }) => length >= SHORTEST);
}

/** The token of a header such as `Authorization: Bearer …`: receivers may echo it without its scheme. */
const withoutScheme = (secret: string) => /^[A-Za-z][\w-]{1,30} +(\S{8,})$/.exec(secret)?.slice(1) ?? [];

/** UTF-8; UTF-8 decoded as Latin-1 and encoded again; single bytes where possible, as `escape` writes them. */
function encodingsOf(text: string): Uint8Array[] {
  const utf8 = encoded(text);
  if (utf8.length === text.length) return [utf8];
  const twice = encoded(Array.from(utf8, (byte) => String.fromCharCode(byte)).join(''));
  const short = joined(
    Array.from(text, (character) =>
      character <= '\u00ff' ? Uint8Array.of(character.charCodeAt(0)) : encoded(character),
    ),
  );
  return [utf8, twice, short];
}

/** A secret may contain text that looks like escapes. It may be decoded several times where it occurs. */
function withUnescaped(form: Uint8Array): Uint8Array[] {
  const next = unescaped(form);
  return next?.some((byte) => byte > 0x20) ? [form, ...withUnescaped(next)] : [form];
}

/** A short form unchanged; of a long one its pieces, those of each line, and those of all lines joined. */
function piecesOf(form: Uint8Array): Uint8Array[] {
  if (form.length <= LONG) return [form, ...rests(form)];
  const lines = linesOf(form);
  const body = joined(lines);
  const parts = lines.filter(({ length }) => length >= SHORTEST_PART);
  const wholes = lines.length > 1 ? [form, ...parts, body, ...fromBase64(body)] : [form];
  return wholes.map(cut).flatMap((pieces) => [...pieces, ...rests(pieces.at(0)), ...rests(pieces.at(-1))]);
}

/** The key inside PEM, found with any line breaks. */
function fromBase64(body: Uint8Array): Uint8Array[] {
  const text = Array.from(body, (byte) => String.fromCharCode(byte)).join('');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  return isBase64 ? [Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))] : [];
}

/** Consecutive pieces; the last one is longer rather than shorter. */
function cut(form: Uint8Array): Uint8Array[] {
  const count = Math.max(Math.floor(form.length / PIECE), 1);
  return Array.from({ length: count }, (_, index) =>
    form.subarray(index * PIECE, index === count - 1 ? form.length : (index + 1) * PIECE),
  );
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BOUNDARY = encoded('-----');

/** The lines of a form, without the first and last of PEM, which are equal for all keys. */
function linesOf(form: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let from = 0;
  for (let at = 0; at <= form.length; at += 1) {
    if (at < form.length && form[at] !== LINE_FEED && form[at] !== CARRIAGE_RETURN) continue;
    const line = form.subarray(from, at);
    if (line.length > 0 && !BOUNDARY.every((byte, index) => line[index] === byte)) lines.push(line);
    from = at + 1;
  }
  return lines;
}

const SECRET_NAME = /key|secret|token|password|passphrase|credential|signature/i;
const PUBLIC_NAME = /(?:id|ur[il]|type|name|email)$/i;

/** The secret fields of a secret that is JSON, such as the key file of a service account. */
function secretFields(secret: string): string[] {
  const fields: string[] = [];
  if (!/^\s*[{[]/.test(secret)) return fields;
  try {
    JSON.parse(secret, (name, value: unknown) => {
      const isSecret = SECRET_NAME.test(name) && !PUBLIC_NAME.test(name);
      if (isSecret && typeof value === 'string' && value.length >= SHORTEST_PART) fields.push(value.toWellFormed());
      return value;
    });
  } catch {
    // It only looks like JSON.
  }
  return fields;
}

/** Text before or after a secret may form an escape together with it: `%` before `41…`, `\` before `n…`. */
const BEFORE = ['%', '%4', '%u', '\\', '\\x', '\\u', '&', '&#', '&#x'].map(encoded);
const AFTER = ['1', '41', '0041', 'u0041', 'x41', '{41}', 'n', '#65;', 'amp;'].map(encoded);

/** The rest of a form if its neighbours form escapes with its first or last characters. */
function rests(form: Uint8Array = new Uint8Array()): Uint8Array[] {
  const start = form.subarray(0, SHORTEST_PART);
  const end = form.subarray(-SHORTEST_PART);
  const indexes = new Set<number>();
  for (const before of BEFORE)
    eachEscape(joined([before, start]), (from, to) => {
      if (from < before.length && to > before.length) indexes.add(to - before.length);
    });
  const fromStart = Array.from(indexes, (count) => form.subarray(count));
  indexes.clear();
  for (const after of AFTER)
    eachEscape(joined([end, after]), (from, to) => {
      if (from < end.length && to > end.length) indexes.add(end.length - from);
    });
  const fromEnd = Array.from(indexes, (count) => form.subarray(0, -count));
  return [...fromStart, ...fromEnd].filter(({ length }) => length >= SHORTEST_REST);
}
