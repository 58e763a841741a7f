import { unsentHeaderReason } from '@/contract/unsent-headers';
import { parseExactJson } from '@/contract/exact-json';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';

interface CurlRequestConfig {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Parses a `curl …` command into the config of an http_request node. Undefined: it is none. */
export function parseCurlCommand(text: string): CurlRequestConfig | undefined {
  const words = splitShellWords(text.trim().replace(/\\\r?\n/g, ' '));
  if (words.shift() !== 'curl') return undefined;
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let [method, url]: (string | undefined)[] = [];
  let [isQuery, isBasic] = [false, true];
  let user: string | undefined;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [flag, glued] = splitCurlFlag(word);
    const value = () => glued ?? words.shift() ?? '';
    if (['-X', '--request'].includes(flag)) method = value().toUpperCase();
    else if (['-H', '--header'].includes(flag)) {
      const [, name = '', content = ''] = /^([^:]+):\s*(.*)$/s.exec(value()) ?? [];
      if (name && unsentHeaderReason(name.trim(), content) === undefined) headers[name.trim()] = content;
    } else if (CURL_DATA_FLAGS.includes(flag)) data.push(value());
    else if (flag === '--json') {
      data.push(value());
      headers['Content-Type'] ??= 'application/json';
    } else if (['-u', '--user'].includes(flag)) user = value();
    else if (['--digest', '--anyauth'].includes(flag)) isBasic = false;
    else if (['-A', '--user-agent'].includes(flag)) headers['User-Agent'] = value();
    else if (['-b', '--cookie'].includes(flag)) headers['Cookie'] = value();
    else if (['-I', '--head'].includes(flag)) method = 'HEAD';
    else if (['-G', '--get'].includes(flag)) isQuery = true;
    else if (flag === '--url') url = value();
    else if (CURL_VALUE_FLAGS.includes(flag)) value();
    else if (!flag.startsWith('-')) url ??= word;
  }
  if (!url) return undefined;
  // The password of digest authentication is never sent: a credential has it.
  if (user !== undefined && isBasic) headers['Authorization'] = `Basic ${encodeUtf8Base64(user)}`;
  const sent = data.join('&');
  const body = data.length && !isQuery ? parseCurlBody(sent) : undefined;
  const saysType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  // curl's default content type for data.
  if (typeof body === 'string' && !saysType) headers['Content-Type'] = 'application/x-www-form-urlencoded';
  const address = isQuery && sent ? `${url}${url.includes('?') ? '&' : '?'}${sent}` : url;
  return {
    url: /^[a-z]+:\/\//i.test(address) || address.startsWith('{{') ? address : `http://${address}`,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(Object.keys(headers).length ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

/** Parses a `curl …` command into a definition with one node, for pasting on the canvas. */
export function curlToDefinition(text: string): WorkflowDefinition | undefined {
  const config = parseCurlCommand(text);
  if (!config) return undefined;
  const node = { id: 'http_request', type: 'http_request', position: { x: 0, y: 0 }, config: { ...config } };
  return { nodes: [node], connections: [] };
}

const CURL_DATA_FLAGS = ['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--data-urlencode'];
const CURL_VALUE_FLAGS = [
  '-o',
  '--output',
  '-m',
  '--max-time',
  '--connect-timeout',
  '-e',
  '--referer',
  '-x',
  '--proxy',
  '--retry',
];

/** Splits `-XPOST` and `--request=POST` into flag and value. */
function splitCurlFlag(word: string): [flag: string, glued: string | undefined] {
  const [, short, rest] = /^(-[XHduAb])(.+)$/s.exec(word) ?? [];
  if (short && rest && !word.startsWith('--')) return [short, rest];
  const [, long, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
  return long ? [long, value] : [word, undefined];
}

/** The parsed JSON, or the text if it is none. */
function parseCurlBody(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

const encodeUtf8Base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Splits a line into words like a shell: both kinds of quotes, `$'…'` and backslashes. */
function splitShellWords(line: string): string[] {
  const words: string[] = [];
  const part = /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gs;
  let word: string | undefined;
  for (const [, ansi, single, double, escaped, plain, space] of line.matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text = ansi !== undefined ? unescapeAnsiQuote(ansi) : (single ?? double?.replace(/\\(["\\$`])/g, '$1'));
    word = (word ?? '') + (text ?? escaped ?? plain ?? '');
  }
  return word === undefined ? words : [...words, word];
}

const unescapeAnsiQuote = (text: string) =>
  text.replace(/\\(.)/gs, (_, sign: string) => ({ n: '\n', t: '\t', r: '\r' })[sign] ?? sign);
