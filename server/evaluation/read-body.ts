import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '@/contract/exact-json';
import type { BodyReading } from './jobs';
import { NodeFailure } from '@/server/errors/node-failure';

const JSON_TYPE = /^[^;]*[/+]json\b/i;
const TEXT_TYPE = /^\s*text\/|^[^;]*[/+](xml|javascript|x-www-form-urlencoded|yaml|graphql|csv)\b/i;

/** The text of a body, in the charset of its content type. */
export function textOf(body: Buffer, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([^";\s]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // An unknown charset: UTF-8 is the most likely one.
    return new TextDecoder().decode(body);
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new NodeFailure('RESPONSE_NOT_JSON', 'The answer is not JSON.', false);
  }
}

/** Whether a body is text. */
export const isReadable = (body: Buffer, type: string): boolean =>
  JSON_TYPE.test(type) || TEXT_TYPE.test(type) || (type === '' && isUtf8(body));

/** A body in the requested form. `auto` follows the content type; bytes that are not text become base64. */
export function readBody(body: Buffer, type: string, as: BodyReading): unknown {
  if (as === 'base64') return body.toString('base64');
  if (as === 'text') return textOf(body, type);
  if (body.length === 0) return null;
  if (as === 'json') return jsonOf(textOf(body, type));
  if (!JSON_TYPE.test(type)) return isReadable(body, type) ? textOf(body, type) : body.toString('base64');
  const text = textOf(body, type);
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
