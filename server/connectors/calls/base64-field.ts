import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The field must begin within this many characters. */
const MAX_PREFIX_CHARACTERS = 64 * 1024;

const missingFileFailure = () => new NodeFailure('BAD_RESPONSE', 'The answer has no file where it should be.', false);

/**
 * The content of a file that an API returns as base64 (or base64url) in a field of a JSON object. It is decoded while
 * it arrives, because it can be large. The field is not inside of other objects, and its text has no escapes. Throws
 * NodeFailure BAD_RESPONSE.
 */
export async function* decodeBase64Field(body: AsyncIterable<Buffer>, field: string): AsyncGenerator<Buffer> {
  const start = new RegExp(`"${field}"\\s*:\\s*"`);
  let before = '';
  let rest = '';
  let state: 'before' | 'inside' | 'after' = 'before';
  for await (const chunk of body) {
    if (state === 'after') continue;
    let text = chunk.toString('latin1');
    if (state === 'before') {
      before += text;
      const found = start.exec(before);
      if (!found) {
        if (before.length > MAX_PREFIX_CHARACTERS) throw missingFileFailure();
        continue;
      }
      text = before.slice(found.index + found[0].length);
      state = 'inside';
    }
    const end = text.indexOf('"');
    if (end !== -1) state = 'after';
    const encoded = rest + (end === -1 ? text : text.slice(0, end));
    const whole = state === 'after' ? encoded.length : encoded.length - (encoded.length % 4);
    rest = encoded.slice(whole);
    if (whole > 0) yield Buffer.from(encoded.slice(0, whole), 'base64');
  }
  if (state !== 'after') throw missingFileFailure();
}
