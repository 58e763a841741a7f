import { createHash, createHmac } from 'node:crypto';
import { callExpressionFunction, EXPRESSION_FUNCTION_NAMES } from '../functions';
import { readN8nCsvFile } from '../functions/n8n-csv';
import { chooseDigestAlgorithm } from '../functions/texts';

/** Parts of a URL that code can assign. */
const URL_PARTS = [
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
  'href',
] as const;
type UrlPart = (typeof URL_PARTS)[number];

const readUrlParts = (url: URL) => ({
  ...Object.fromEntries(URL_PARTS.map((part) => [part, url[part]])),
  origin: url.origin,
});

const binaryToBytes = (binary: unknown) => Buffer.from(String(binary), 'latin1');
const bytesToBinary = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Functions of this process behind the globals. They take and return JSON values; bytes are texts of their codes. */
const HOST_FUNCTIONS: Record<string, (values: unknown[], timeZone: string) => unknown> = {
  url: ([href, base]) => readUrlParts(new URL(String(href), base === null ? undefined : String(base))),
  setUrl: ([href, part, value]) => {
    const url = new URL(String(href));
    url[part as UrlPart] = String(value);
    return readUrlParts(url);
  },
  query: ([text]) => [...new URLSearchParams(String(text))],
  queryText: ([pairs]) => new URLSearchParams(pairs as [string, string][]).toString(),
  encode: ([text]) => bytesToBinary(new TextEncoder().encode(String(text))),
  decode: ([binary, label, options]) => new TextDecoder(String(label), options as object).decode(binaryToBytes(binary)),
  atob: ([text]) => atob(String(text)),
  btoa: ([text]) => btoa(String(text)),
  digestBytes: ([bytes, algorithm, key]) => {
    const name = chooseDigestAlgorithm(String(algorithm).toLowerCase());
    const digest = key === null ? createHash(name) : createHmac(name, binaryToBytes(key));
    return bytesToBinary(digest.update(binaryToBytes(bytes)).digest());
  },
  readN8nCsvFile: ([content, options]) =>
    readN8nCsvFile(String(content), options as Parameters<typeof readN8nCsvFile>[1]),
  now: () => new Date().toISOString(),
  base64encode: ([text]) => Buffer.from(String(text), 'utf8').toString('base64'),
  base64decode: ([text]) => Buffer.from(String(text), 'base64').toString('utf8'),
};

/** Calls a function behind the globals; `values` and the result are JSON. */
export function callHostFunction(name: string, values: string, timeZone: string): string {
  const given = JSON.parse(values) as unknown[];
  const own = HOST_FUNCTIONS[name];
  const result = own
    ? own(given, timeZone)
    : callExpressionFunction(
        name,
        given.map((one) => one ?? undefined),
        timeZone,
      );
  return JSON.stringify(result) ?? 'null';
}

/** JavaScript: the assignable parts of a URL as accessors. */
const URL_ACCESSORS = URL_PARTS.map(
  (part) => `get ${part}() { return this.#parts.${part}; } set ${part}(value) { this.#assign('${part}', value); }`,
).join(' ');

const HELPER_NAMES = ['now', 'base64encode', 'base64decode', ...EXPRESSION_FUNCTION_NAMES];

/** Defines the globals inside the sandbox, where `__call` is `callHostFunction`. */
export const SANDBOX_GLOBALS_SOURCE = `(() => {
  const send = __call;
  globalThis.__call = undefined;
  const call = (name, ...values) => JSON.parse(send(name, JSON.stringify(values)));
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const helpers = {};
  for (const name of ${JSON.stringify(HELPER_NAMES)}) helpers[name] = (...values) => call(name, ...values);
  // For the modules of a prelude: they are no part of what is documented.
  for (const name of ['digestBytes', 'readN8nCsvFile'])
    Object.defineProperty(helpers, name, { value: (...values) => call(name, ...values) });
  define('helpers', helpers);
  define('atob', (text) => call('atob', String(text)));
  define('btoa', (text) => call('btoa', String(text)));

  define('URLSearchParams', class URLSearchParams {
    #pairs; #changed;
    constructor(from = '', changed) {
      this.#changed = changed;
      if (typeof from === 'string') this.#pairs = call('query', from);
      else {
        const entries = typeof from[Symbol.iterator] === 'function' ? [...from] : Object.entries(from);
        this.#pairs = entries.map(([name, value]) => [String(name), String(value)]);
      }
    }
    #set(pairs) { this.#pairs = pairs; this.#changed?.(this.toString()); }
    get size() { return this.#pairs.length; }
    get(name) { return this.#pairs.find(([one]) => one === String(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter(([one]) => one === String(name)).map(([, value]) => value); }
    has(name) { return this.#pairs.some(([one]) => one === String(name)); }
    append(name, value) { this.#set([...this.#pairs, [String(name), String(value)]]); }
    delete(name) { this.#set(this.#pairs.filter(([one]) => one !== String(name))); }
    set(name, value) {
      const at = this.#pairs.findIndex(([one]) => one === String(name));
      if (at === -1) return this.append(name, value);
      const others = this.#pairs.filter(([one], index) => index === at || one !== String(name));
      this.#set(others.map((pair) => (pair[0] === String(name) ? [pair[0], String(value)] : pair)));
    }
    sort() { this.#set([...this.#pairs].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))); }
    forEach(visit) { for (const [name, value] of this.#pairs) visit(value, name, this); }
    *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
    *keys() { for (const [name] of this.#pairs) yield name; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return call('queryText', this.#pairs); }
  });

  class URL {
    #parts; #params;
    constructor(href, base) { this.#parts = call('url', String(href), base === undefined ? null : String(base)); }
    static canParse(href, base) { try { new URL(href, base); return true; } catch { return false; } }
    static parse(href, base) { try { return new URL(href, base); } catch { return null; } }
    #assign(part, value) {
      this.#parts = call('setUrl', this.#parts.href, part, String(value));
      if (part !== 'hash') this.#params = undefined;
    }
    ${URL_ACCESSORS}
    get origin() { return this.#parts.origin; }
    get searchParams() {
      const changed = (text) => { this.#parts = call('setUrl', this.#parts.href, 'search', text); };
      return (this.#params ??= new URLSearchParams(this.#parts.search, changed));
    }
    toString() { return this.#parts.href; }
    toJSON() { return this.#parts.href; }
  }
  define('URL', URL);

  const binary = (bytes) => {
    const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = '';
    for (let at = 0; at < view.length; at += 4096) text += String.fromCharCode(...view.subarray(at, at + 4096));
    return text;
  };
  define('TextEncoder', class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return Uint8Array.from(call('encode', String(text)), (one) => one.charCodeAt(0)); }
  });
  define('TextDecoder', class TextDecoder {
    #options;
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.encoding = String(label).toLowerCase();
      this.fatal = fatal;
      this.ignoreBOM = ignoreBOM;
      call('decode', '', this.encoding, {});
    }
    decode(bytes = new Uint8Array()) {
      return call('decode', binary(bytes), this.encoding, { fatal: this.fatal, ignoreBOM: this.ignoreBOM });
    }
  });

  define('structuredClone', (value) => {
    const copies = new Map();
    const clone = (from) => {
      if (typeof from === 'function' || typeof from === 'symbol') throw new TypeError(String(from) + ' could not be cloned');
      if (typeof from !== 'object' || from === null) return from;
      if (copies.has(from)) return copies.get(from);
      const keep = (copy) => { copies.set(from, copy); return copy; };
      if (from instanceof Date) return keep(new Date(from.getTime()));
      if (from instanceof RegExp) return keep(new RegExp(from.source, from.flags));
      if (from instanceof ArrayBuffer) return keep(from.slice(0));
      if (ArrayBuffer.isView(from)) {
        const buffer = clone(from.buffer);
        return keep(new from.constructor(buffer, from.byteOffset, from instanceof DataView ? from.byteLength : from.length));
      }
      if (from instanceof Map) {
        const copy = keep(new Map());
        for (const [key, inner] of from) copy.set(clone(key), clone(inner));
        return copy;
      }
      if (from instanceof Set) {
        const copy = keep(new Set());
        for (const inner of from) copy.add(clone(inner));
        return copy;
      }
      if (from instanceof Error) {
        const copy = keep(new Error(from.message));
        copy.name = from.name;
        return copy;
      }
      const copy = keep(Array.isArray(from) ? new Array(from.length) : {});
      for (const key of Object.keys(from)) {
        Object.defineProperty(copy, key, { value: clone(from[key]), writable: true, enumerable: true, configurable: true });
      }
      return copy;
    };
    return clone(value);
  });
})()`;
