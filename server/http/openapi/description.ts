import { stringify } from 'yaml';
import { openApi } from './openapi';

const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** GET /openapi.json */
export const openApiJson = async (): Promise<Response> => Response.json(openApi(), { headers: HEADERS });

/** GET /openapi.yaml: the same document. */
export const openApiYaml = async (): Promise<Response> =>
  new Response(stringify(openApi(), { aliasDuplicateObjects: false }), {
    headers: { ...HEADERS, 'Content-Type': 'application/yaml; charset=utf-8' },
  });
