import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '@/contract/exact-json';
import type { BodyReading } from './jobs';
import { NodeFailure } from '@/server/errors/node-failure';
import { charsetOf, isKnownEncoding, readText, showText, UnreadableText, type TextFacts } from '@/server/text-encoding';

/** One JSON value; `json-seq` and the like are several. */
const JSON_TYPE = /^[^;]*[/+](?:x-)?json(?:-rpc)?(?![\w.-])/i;
const TEXT_TYPE =
  /^\s*text\/|^[^;]*[/+](?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|json-lines|json-stream|json5|jsonc|xml|javascript|ecmascript|www-form-urlencoded|yaml|toml|graphql|sql|csv|sh|pem-file)\b/i;

/** What is known about the text of a body. Of text without a charset browsers assume windows-1252, if it is no UTF-8; JSON and XML are UTF-8. */
function factsOf(type: string): TextFacts {
  const charset = charsetOf(type);
  const isLoose = /^\s*text\//i.test(type) && !/^[^;]*[/+](xml|json)\b/i.test(type);
  return {
    charset: charset !== undefined && isKnownEncoding(charset) ? charset : undefined,
    otherwise: isLoose ? 'windows-1252' : undefined,
  };
}

/** The text of a body, in the charset of its content type or the one that it declares itself. Throws NodeFailure RESPONSE_ENCODING. */
function textOf(body: Buffer, type: string): string {
  try {
    return readText(body, factsOf(type));
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    const message = `The answer cannot be read as text: ${error.message} Read it as a file, and convert it with options.encoding.`;
    throw new NodeFailure('RESPONSE_ENCODING', message, false);
  }
}

/** The text of a body for people: what cannot be read is marked. */
export const shownText = (body: Buffer, type: string): string => showText(body, factsOf(type));

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

/**
 * A body in the requested form. `auto` follows the content type; bytes that are not text become base64. `decode`: how its text is read.
 */
export function readBody(body: Buffer, type: string, as: BodyReading, decode = textOf): unknown {
  if (as === 'base64') return body.toString('base64');
  if (as === 'text') return decode(body, type);
  if (body.length === 0) return null;
  if (as === 'json') return jsonOf(decode(body, type));
  if (!JSON_TYPE.test(type)) return isReadable(body, type) ? decode(body, type) : body.toString('base64');
  const text = decode(body, type);
  try {
    return jsonOf(text);
  } catch {
    return text;
  }
}
