// Writes the API description into the file that is named.
import { writeFileSync } from 'node:fs';
import { openApi } from '../server/http/openapi/openapi';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Name a file');
writeFileSync(file, JSON.stringify(openApi('https://weft.example')));
