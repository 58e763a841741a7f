// `npm run directory:check`: fetches the document of each service of the directory and lists those that can't be read
// any more.
import { SERVICE_DIRECTORY } from '../server/connectors/directory/directory';
import { checkServices } from './directory/check';

const faults = await checkServices(SERVICE_DIRECTORY);
for (const line of faults) process.stdout.write(`${line}\n`);
process.stdout.write(
  `${SERVICE_DIRECTORY.length - faults.length} of ${SERVICE_DIRECTORY.length} documents can be read.\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
