// Writes the types of the API into the file that is named. TypeScript 5 must be registered
// (`server/api/http/openapi/typescript-5.mjs`).
import { writeFileSync } from 'node:fs';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { buildOpenApiDocument } from '../server/api/http/openapi/openapi';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name a file');
// Its type is that of JSON; the generator checks it.
const description = JSON.parse(JSON.stringify(buildOpenApiDocument('https://weft.example'))) as OpenAPI3;
writeFileSync(file, astToString(await openapiTypescript(description, { silent: true })));
