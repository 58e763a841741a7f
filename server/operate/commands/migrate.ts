import { version } from '@/server/platform/release';
import { runOperatorCommand } from './command';

const USAGE = 'Usage: npm run migrate\n\nMigrates the database to the schema of this version.\n';

// `npm run migrate`: migrates the database to the schema of this version, as the service does when it starts. Processes
// that start together wait for each other. Exit code 1 if a migration fails; it is rolled back then.
void runOperatorCommand(
  async () => {
    process.stdout.write(`The database has the schema of Weft ${version}\n`);
    return 0;
  },
  { usage: USAGE },
);
