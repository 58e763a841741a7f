import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringify } from 'yaml';
import type { CallHeaders } from '@/server/client-address';
import { runtime } from '@/server/runtime';
import { asyncApi } from './async-api';
import { openApi } from './openapi';

const HEADERS = { 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' };
const JSON_TYPE = 'application/json; charset=utf-8';
const compress = promisify(gzip);

interface Written {
  text: string;
  compressed: Promise<Buffer>;
}

/** The documents by format and public address, written once: that takes up to a second. */
const written = new Map<string, Written>();

type Call = { headers: CallHeaders };

/** Compressed, to a tenth of its size, for clients that accept it. */
async function answer({ headers }: Call, format: string, contentType: string, write: (address: string) => string) {
  const address = runtime().env.apiBaseUrl;
  const key = `${format} ${address}`;
  let document = written.get(key);
  if (!document) {
    const text = write(address);
    document = { text, compressed: compress(text) };
    written.set(key, document);
  }
  const own = { ...HEADERS, 'Content-Type': contentType };
  if (!acceptsGzip(headers)) return new Response(document.text, { headers: own });
  const bytes = new Uint8Array(await document.compressed);
  return new Response(bytes, { headers: { ...own, 'Content-Encoding': 'gzip' } });
}

/** Whether `Accept-Encoding` has gzip, and not with the weight 0, which refuses it. */
const acceptsGzip = (headers: CallHeaders) =>
  (headers.get('accept-encoding') ?? '').split(',').some((one) => /^\s*gzip\s*($|;\s*q=(1|0?\.0*[1-9]))/i.test(one));

/** GET /openapi.json */
export const openApiJson = async (call: Call): Promise<Response> =>
  answer(call, 'json', JSON_TYPE, (address) => JSON.stringify(openApi(address)));

/** GET /openapi.yaml: the same document. */
export const openApiYaml = async (call: Call): Promise<Response> =>
  answer(call, 'yaml', 'application/yaml; charset=utf-8', (address) =>
    stringify(openApi(address), { aliasDuplicateObjects: false }),
  );

/** GET /asyncapi.json: the messages of the WebSocket channel. */
export const asyncApiJson = async (call: Call): Promise<Response> =>
  answer(call, 'events', JSON_TYPE, (address) => JSON.stringify(asyncApi(address)));
