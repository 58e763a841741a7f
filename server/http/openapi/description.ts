import { createHash } from 'node:crypto';
import { runtime } from '@/server/runtime';
import { asyncApi } from './async-api';
import { openApi } from './openapi';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };
const JSON_TYPE = 'application/json; charset=utf-8';

/** The documents as texts, by format and public address, written once: that takes up to a second. */
const written = new Map<string, { text: string; tag: string }>();

const withTag = (text: string) => ({ text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` });

function answer(format: string, contentType: string, write: (address: string) => string): Response {
  const address = runtime().env.apiBaseUrl;
  const key = `${format} ${address}`;
  const document = written.get(key) ?? withTag(write(address));
  written.set(key, document);
  const { text, tag } = document;
  return new Response(text, { headers: { ...HEADERS, ETag: tag, 'Content-Type': contentType } });
}

/** GET /openapi.json */
export const openApiJson = async (): Promise<Response> =>
  answer('json', JSON_TYPE, (address) => JSON.stringify(openApi(address)));

/** GET /openapi.yaml: the same document. */
export async function openApiYaml(): Promise<Response> {
  const { stringify } = await import('yaml');
  return answer('yaml', 'application/yaml; charset=utf-8', (address) =>
    stringify(openApi(address), { aliasDuplicateObjects: false }),
  );
}

/** GET /asyncapi.json: the messages of the WebSocket channel. */
export const asyncApiJson = async (): Promise<Response> =>
  answer('events', JSON_TYPE, (address) => JSON.stringify(asyncApi(address)));
