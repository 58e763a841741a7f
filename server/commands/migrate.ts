import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@/server/root';
import { command } from './command';

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

// `npm run migrate`: migrates the database to the schema of this version, as the service does when it starts. Processes that start together
// wait for each other. Exit code 1 if a migration fails; it is rolled back then.
void command(async () => {
  process.stdout.write(`The database has the schema of Weft ${version}\n`);
  return 0;
});
