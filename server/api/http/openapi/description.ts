import { createHash } from 'node:crypto';
import { getRuntime } from '@/server/platform/runtime';
import { buildAsyncApiDocument } from './async-api';
import { buildOpenApiDocument } from './openapi';

const DOCUMENT_HEADERS = { 'Cache-Control': 'public, max-age=300' };
const JSON_DOCUMENT_TYPE = 'application/json; charset=utf-8';

/** The documents as texts, by format and public address, written once: that takes up to a second. */
const writtenDocuments = new Map<string, { text: string; tag: string }>();

const withEntityTag = (text: string) => ({ text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` });

function documentResponse(format: string, contentType: string, write: (address: string) => string): Response {
  const address = getRuntime().env.apiBaseUrl;
  const key = `${format} ${address}`;
  const document = writtenDocuments.get(key) ?? withEntityTag(write(address));
  writtenDocuments.set(key, document);
  const { text, tag } = document;
  return new Response(text, { headers: { ...DOCUMENT_HEADERS, ETag: tag, 'Content-Type': contentType } });
}

/** GET /openapi.json */
export const handleOpenApiJson = async (): Promise<Response> =>
  documentResponse('json', JSON_DOCUMENT_TYPE, (address) => JSON.stringify(buildOpenApiDocument(address)));

/** GET /openapi.yaml: the same document. */
export async function handleOpenApiYaml(): Promise<Response> {
  const { stringify } = await import('yaml');
  return documentResponse('yaml', 'application/yaml; charset=utf-8', (address) =>
    stringify(buildOpenApiDocument(address), { aliasDuplicateObjects: false }),
  );
}

/** GET /asyncapi.json: the messages of the WebSocket channel. */
export const handleAsyncApiJson = async (): Promise<Response> =>
  documentResponse('events', JSON_DOCUMENT_TYPE, (address) => JSON.stringify(buildAsyncApiDocument(address)));
