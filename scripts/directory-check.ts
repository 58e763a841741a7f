// `npm run directory:check`: fetches the document of each service of the directory and lists those that can't be read any more.
import { directory } from '../server/connectors/directory/directory';
import { checkServices } from './directory/check';

const faults = await checkServices(directory);
for (const line of faults) process.stdout.write(`${line}\n`);
process.stdout.write(`${directory.length - faults.length} of ${directory.length} documents can be read.\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
