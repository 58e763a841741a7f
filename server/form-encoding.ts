import { isUtf8 } from 'node:buffer';
import { encodingOfLabel, TextBytesReader } from './text-encoding';

/** Escapes of bytes beyond ASCII, which are characters in the encoding of the sender only. */
const HIGH_ESCAPE = /%[89a-f][\da-f]/i;
/** The field in which browsers name the encoding of the page (HTML). */
const CHARSET_FIELD = /(?:^|&)_charset_=([\w.:-]{1,40})(?:&|$)/;
/** What is assumed of senders that name no encoding and use another one than UTF-8. */
const UNDECLARED = 'windows-1252';

/**
 * Names and values of a form (application/x-www-form-urlencoded). Its encoding is that of the field `_charset_`, else that of the content type, else UTF-8, or
 * windows-1252 if the bytes are no UTF-8. Throws UnreadableText.
 */
export function formPairs(body: Uint8Array, charset?: string): [name: string, value: string][] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const form = bytes.toString('latin1');
  const label = CHARSET_FIELD.exec(form)?.[1] ?? charset;
  const named = label === undefined ? undefined : encodingOfLabel(label);
  if ((named ?? 'utf-8') === 'utf-8' && !HIGH_ESCAPE.test(form) && isUtf8(bytes))
    return [...new URLSearchParams(bytes.toString())];
  const pairs = form
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [unescaped(pair), ''] : [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))];
    });
  const encoding = encodingFor(pairs.flat(), named);
  return pairs.map(([name = '', value = '']) => [decoded(name, encoding), decoded(value, encoding)]);
}

/** UTF-8 is not taken for given: many forms say so by habit. */
function encodingFor(texts: readonly string[], named: string | undefined): string {
  if (named !== undefined && named !== 'utf-8') return named;
  return texts.every((text) => isUtf8(Buffer.from(text, 'latin1'))) ? 'utf-8' : UNDECLARED;
}

/** The bytes of a name or value, as characters of latin1. */
const unescaped = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function decoded(text: string, encoding: string): string {
  const reader = new TextBytesReader(encoding);
  return reader.write(Buffer.from(text, 'latin1')) + reader.end();
}

/** The values of fields, whose bytes are characters of latin1, as `formPairs` reads them. Throws UnreadableText. */
export function fieldValues(fields: readonly (readonly [name: string, bytes: string])[]): string[] {
  const label = fields.find(([name]) => name === '_charset_')?.[1];
  const named = label === undefined ? undefined : encodingOfLabel(label);
  // Each by itself: the encoding of a part may have been read already.
  return fields.map(([, bytes]) => decoded(bytes, encodingFor([bytes], named)));
}
