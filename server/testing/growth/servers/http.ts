import { gzipSync } from 'node:zlib';
import { parseResponseOfAnySize } from '@/server/network/outbound/content';
import { findNextLink } from '@/server/network/outbound/link-header';
import { sendOutboundRequest } from '@/server/network/outbound/outbound';
import { summarizeResponse } from '@/server/network/outbound/response-summary';
import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { GROWTH_WORKSPACE, neverAborted, repeated, startRawServer, type HostileServer } from '../hostile-server';

interface Answer {
  status?: string;
  /** Lines. */
  headers?: string;
  body?: string | Buffer;
}

/** What a node does with an answer. */
async function read(url: string): Promise<unknown> {
  const answer = await sendOutboundRequest({ workspaceId: GROWTH_WORKSPACE, url, signal: neverAborted() });
  if (answer.status >= 400) return summarizeResponse(answer, NO_SECRETS_REDACTOR);
  const next = findNextLink(answer.headers['link']);
  return [next, await parseResponseOfAnySize(answer, 'auto', { workspaceId: GROWTH_WORKSPACE })];
}

/** A server whose answer a node reads. */
const http = (largest: number, answer: (size: number) => Answer): HostileServer => ({
  largest,
  async start(size) {
    const { status = '200 OK', headers = '', body = '' } = answer(size);
    const isChunked = headers.includes('chunked');
    const length = isChunked ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    const bytes = Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status}\r\n${headers}${length}connection: close\r\n\r\n`),
      Buffer.from(body as string),
    ]);
    const { port, close } = await startRawServer((socket) => void socket.once('data', () => socket.end(bytes)));
    const url = `http://127.0.0.1:${port}/`;
    return { url, call: () => read(url), close };
  },
});

const KIB = 1024;
const TEXT = 'content-type: text/plain\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const header = (text: (size: number) => string): HostileServer => http(60 * KIB, (size) => ({ headers: text(size) }));

export const httpServers: Record<string, HostileServer> = {
  'http: many cookies': header((size) => repeated('set-cookie: a=b\r\n', size)),
  'http: many headers': header((size) => Array.from({ length: size / 10 }, (_, at) => `x-${at}: 1\r\n`).join('')),
  'http: folded lines': header((size) => `x: 1\r\n${repeated(' 1\r\n', size)}`),
  'http: many lengths': header((size) => repeated('content-length: 2\n', size)),
  'http: blanks before a colon': header((size) => `x${repeated(' ', size)}: 1\r\n`),
  'http: a long header': header((size) => `x-long: ${repeated('x', size)}\r\n`),
  'http: many links': header((size) => `link: ${repeated('<a>; rel=next, ', size)}<b>\r\n`),
  'http: a link of many parameters': header((size) => `link: <a>${repeated('; a=b', size)}; rel=next\r\n`),
  'http: a link without end': header((size) => `link: ${repeated('<', size)}\r\n`),
  'http: a link of spaces': header((size) => `link: <a>;${repeated(' ', size)}rel=next x\r\n`),
  'http: many relations of a link': header((size) => `link: <a>; rel="${repeated('x ', size)}next"\r\n`),
  'http: a content type of many parameters': header(
    (size) => `content-type: text/plain${repeated('; charset', size)}\r\n`,
  ),
  'http: a content type of slashes': header((size) => `content-type: ${repeated('/', size)}\r\n`),
  'http: many encodings': header((size) => `content-encoding: ${repeated('gzip, ', size)}\r\n`),
  'http: a redirect to a long address': http(60 * KIB, (size) => ({
    status: '302 Found',
    headers: `location: ?${repeated('a=b&', size)}\r\n`,
  })),
  'http: a refusal with a long body': http(1200 * KIB, (size) => ({
    status: '400 Bad Request',
    headers: TEXT,
    body: repeated('x ', size),
  })),
  'http: chunks of a byte': http(2000 * KIB, (size) => ({
    headers: `${TEXT}transfer-encoding: chunked\r\n`,
    body: `${repeated('1\r\nx\r\n', size)}0\r\n\r\n`,
  })),
  'http: chunks with extensions': http(2000 * KIB, (size) => ({
    headers: `${TEXT}transfer-encoding: chunked\r\n`,
    body: `1;${repeated('a=b;', size)}x\r\nx\r\n0\r\n\r\n`,
  })),
  'http: a small body that inflates': http(8 * 1024 * KIB, (size) => ({
    headers: `${TEXT}content-encoding: gzip\r\n`,
    body: gzipSync(repeated('x', size)),
  })),
  'http: JSON of small objects': http(4 * 1024 * KIB, (size) => ({
    headers: JSON_TYPE,
    body: `[${repeated('{},', size)}{}]`,
  })),
  'http: deep JSON': http(1200 * KIB, (size) => ({
    headers: JSON_TYPE,
    body: '['.repeat(size / 2) + ']'.repeat(size / 2),
  })),
  'http: text in gb18030': http(4 * 1024 * KIB, (size) => ({
    headers: 'content-type: text/plain; charset=gb18030\r\n',
    body: Buffer.alloc(size, 0x81),
  })),
  'http: text in big5': http(4 * 1024 * KIB, (size) => ({
    headers: 'content-type: text/html; charset=big5\r\n',
    body: Buffer.alloc(size, 0xa4),
  })),
  'http: JSON of letters beyond ASCII': http(6 * 1024 * KIB, (size) => ({
    headers: JSON_TYPE,
    body: JSON.stringify(repeated('腻', size / 3)),
  })),
};
