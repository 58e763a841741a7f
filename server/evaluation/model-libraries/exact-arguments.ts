import { parseExactJson, quoteLargeIntegers } from '@/contract/exact-json';

/**
 * The fields of replies with arguments of tools: of Anthropic, of Google, and of servers that send an object in place
 * of text.
 */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(['input', 'args', 'arguments']);

const isJsonObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * An answer of a model whose library parses the arguments of tools together with the rest: integers in them that a
 * double would round become the text of their digits. Other fields, such as counts and times, stay as the library
 * expects them.
 */
export function withExactToolArguments(body: Buffer, contentType: string): Uint8Array<ArrayBuffer> {
  const text = body.toString();
  // Few answers have such an integer.
  const isExact = quoteLargeIntegers(text) === text;
  return new Uint8Array(isExact ? body : Buffer.from(quoteToolArguments(text, contentType)));
}

function quoteToolArguments(body: string, contentType: string): string {
  if (!/^\s*text\/event-stream/i.test(contentType)) return quoteArgumentsInJson(body);
  return body.replace(/^(data: ?)(.*)$/gm, (_, mark: string, data: string) => mark + quoteArgumentsInJson(data));
}

function quoteArgumentsInJson(json: string): string {
  try {
    return JSON.stringify(mergeExactArguments(JSON.parse(json) as unknown, parseExactJson(json)));
  } catch {
    // The library says what is wrong with it.
    return json;
  }
}

/** A value with the arguments of its exact twin. */
function mergeExactArguments(value: unknown, exact: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(exact)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => mergeExactArguments(item, (exact as unknown as unknown[])[index]));
  const entries = Object.entries(value).map(([name, part]) => {
    const twin = exact[name];
    return [name, ARGUMENT_FIELDS.has(name) && isJsonObject(part) ? twin : mergeExactArguments(part, twin)];
  });
  return Object.fromEntries(entries) as unknown;
}
