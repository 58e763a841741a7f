import path from 'node:path';
import type { Env } from '@/server/env/env';
import { idleVariables, unknownVariables } from '@/server/env/unknown-variables';
import type { Source } from '@/server/env/variables';
import { folderFault, freeSpace } from '@/server/files/disk';
import type { Finding } from './checkup';

const GIB = 1024 ** 3;
/** Less room is a warning: a backup, a large upload or a day of runs may fill it. */
const LITTLE_BYTES = GIB;
/** Less room is a failure. */
const NONE_BYTES = 64 * 1024 * 1024;

/** What the room below a folder means. Exported for tests. */
export function findingOfSpace(about: string, folder: string, freeBytes: number | undefined): Finding {
  if (freeBytes === undefined) return { about, verdict: 'good', text: `${folder} can be written` };
  const room = freeBytes >= GIB ? `${(freeBytes / GIB).toFixed(1)} GiB` : `${Math.floor(freeBytes / 1024 ** 2)} MiB`;
  const text = `${folder} can be written, ${room} are free`;
  if (freeBytes < NONE_BYTES) return { about, verdict: 'bad', text: `${folder} is full: ${room} are free` };
  return { about, verdict: freeBytes < LITTLE_BYTES ? 'warning' : 'good', text };
}

/** Whether the folders of the service can be written, and have room. It creates them if they do not exist, as a start does. */
export async function lookAtFolders({ dataDir, filesUrl }: Env): Promise<Finding[]> {
  const files = path.join(dataDir, 'files', 'temporary');
  const folders = {
    'data folder': dataDir,
    [filesUrl ? 'folder of files that are received' : 'folder of files']: files,
  };
  const findings: Finding[] = [];
  for (const [about, place] of Object.entries(folders)) {
    const folder = path.resolve(place);
    const fault = await folderFault(folder);
    if (fault) findings.push({ about, verdict: 'bad', text: `${folder} takes no files: ${fault.reason}` });
    else findings.push(findingOfSpace(about, folder, (await freeSpace(folder))?.freeBytes));
  }
  return findings;
}

/** Variables that are not read although they look like it, and those that have no effect. */
export function lookAtVariables(source?: Source): Finding[] {
  const unknown = unknownVariables(source).map(
    ({ name, nearest }) => `${name} is not read by the service${nearest ? `: is ${nearest} meant?` : ''}`,
  );
  return [...unknown, ...idleVariables(source)].map((text) => ({ about: 'configuration', verdict: 'warning', text }));
}
