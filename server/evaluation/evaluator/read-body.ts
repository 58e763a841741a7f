import { isUtf8 } from 'node:buffer';
import { parseExactJson } from '@/contract/exact-json';
import type { BodyReadingMode } from './jobs';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import {
  contentTypeCharset,
  isKnownEncoding,
  decodeWholeText,
  decodeTextForDisplay,
  UnreadableTextError,
  type TextEncodingHints,
} from '@/server/platform/messages/text-encoding';

/** One JSON value; `json-seq` and the like are several. */
const SINGLE_JSON_TYPE = /^[^;]*[/+](?:x-)?json(?:-rpc)?(?![\w.-])/i;
const TEXT_CONTENT_TYPE =
  /^\s*text\/|^[^;]*[/+](?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|json-lines|json-stream|json5|jsonc|xml|javascript|ecmascript|www-form-urlencoded|yaml|toml|graphql|sql|csv|sh|pem-file)\b/i;

/**
 * Returns what is known about the text of a body. Browsers assume windows-1252 for a text that names no charset and is
 * not UTF-8; JSON and XML are UTF-8.
 */
function bodyEncodingHints(type: string): TextEncodingHints {
  const charset = contentTypeCharset(type);
  const isLoose = /^\s*text\//i.test(type) && !/^[^;]*[/+](xml|json)\b/i.test(type);
  return {
    charset: charset !== undefined && isKnownEncoding(charset) ? charset : undefined,
    otherwise: isLoose ? 'windows-1252' : undefined,
  };
}

/**
 * The text of a body, in the charset of its content type or the one that it declares itself. Throws NodeFailure
 * RESPONSE_ENCODING.
 */
function decodeBodyText(body: Buffer, type: string): string {
  try {
    return decodeWholeText(body, bodyEncodingHints(type));
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    const message = `The answer cannot be read as text: ${error.message} Read it as a file, and convert it with options.encoding.`;
    throw new NodeFailure('RESPONSE_ENCODING', message, false);
  }
}

/** The text of a body for people to read, in which unreadable bytes are marked. */
export const showBodyText = (body: Buffer, type: string): string => decodeTextForDisplay(body, bodyEncodingHints(type));

function parseResponseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new NodeFailure('RESPONSE_NOT_JSON', 'The answer is not JSON.', false);
  }
}

/** Whether a body is text. */
export const isTextBody = (body: Buffer, type: string): boolean =>
  SINGLE_JSON_TYPE.test(type) || TEXT_CONTENT_TYPE.test(type) || (type === '' && isUtf8(body));

/**
 * A body in the requested form. `auto` follows the content type; bytes that are not text become base64. `decode`: how
 * its text is read.
 */
export function parseBodyByType(body: Buffer, type: string, as: BodyReadingMode, decode = decodeBodyText): unknown {
  if (as === 'base64') return body.toString('base64');
  if (as === 'text') return decode(body, type);
  if (body.length === 0) return null;
  if (as === 'json') return parseResponseJson(decode(body, type));
  if (!SINGLE_JSON_TYPE.test(type)) return isTextBody(body, type) ? decode(body, type) : body.toString('base64');
  const text = decode(body, type);
  try {
    return parseResponseJson(text);
  } catch {
    return text;
  }
}
