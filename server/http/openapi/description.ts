import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringify } from 'yaml';
import type { CallHeaders } from '@/server/client-address';
import { openApi } from './openapi';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };
const compress = promisify(gzip);

/** Whether `Accept-Encoding` has gzip, and not with the weight 0, which refuses it. */
const acceptsGzip = (headers: CallHeaders) =>
  (headers.get('accept-encoding') ?? '').split(',').some((one) => /^\s*gzip\s*($|;\s*q=(1|0?\.0*[1-9]))/i.test(one));

/** GET /openapi.json; compressed for who accepts it, to a tenth of its size. */
export async function openApiJson({ headers }: { headers: CallHeaders }): Promise<Response> {
  const answer = { ...HEADERS, 'Content-Type': 'application/json', Vary: 'Accept-Encoding' };
  const text = JSON.stringify(openApi());
  if (!acceptsGzip(headers)) return new Response(text, { headers: answer });
  const bytes = await compress(text);
  return new Response(new Uint8Array(bytes), { headers: { ...answer, 'Content-Encoding': 'gzip' } });
}

/** GET /openapi.yaml: the same document. */
export const openApiYaml = async (): Promise<Response> =>
  new Response(stringify(openApi(), { aliasDuplicateObjects: false }), {
    headers: { ...HEADERS, 'Content-Type': 'application/yaml; charset=utf-8' },
  });
