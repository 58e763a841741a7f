import path from 'node:path';
import type { ServiceEnv } from '@/server/platform/env/env';
import { findIdleVariables, findUnknownVariables } from '@/server/platform/env/unknown-variables';
import type { EnvironmentSource } from '@/server/platform/env/variables';
import { findFolderFault, readFreeSpace } from '@/server/data/files/disk';
import type { CheckupFinding } from './checkup';

const BYTES_PER_GIB = 1024 ** 3;
/** Less room is a warning: a backup, a large upload or a day of runs may fill it. */
const LOW_SPACE_BYTES = BYTES_PER_GIB;
/** Less room is a failure. */
const FULL_DISK_BYTES = 64 * 1024 * 1024;

/** Judges the free space below a folder. It is exported for tests. */
export function freeSpaceFinding(about: string, folder: string, freeBytes: number | undefined): CheckupFinding {
  if (freeBytes === undefined) return { about, verdict: 'good', text: `${folder} can be written` };
  const room =
    freeBytes >= BYTES_PER_GIB
      ? `${(freeBytes / BYTES_PER_GIB).toFixed(1)} GiB`
      : `${Math.floor(freeBytes / 1024 ** 2)} MiB`;
  const text = `${folder} can be written, ${room} are free`;
  if (freeBytes < FULL_DISK_BYTES) return { about, verdict: 'bad', text: `${folder} is full: ${room} are free` };
  return { about, verdict: freeBytes < LOW_SPACE_BYTES ? 'warning' : 'good', text };
}

/**
 * Whether the folders of the service can be written, and have room. It creates them if they do not exist, as a start
 * does.
 */
export async function checkFolders({ dataDir, filesUrl }: ServiceEnv): Promise<CheckupFinding[]> {
  const files = path.join(dataDir, 'files', 'temporary');
  const folders = {
    'data folder': dataDir,
    [filesUrl ? 'folder of files that are received' : 'folder of files']: files,
  };
  const findings: CheckupFinding[] = [];
  for (const [about, place] of Object.entries(folders)) {
    const folder = path.resolve(place);
    const fault = await findFolderFault(folder);
    if (fault) findings.push({ about, verdict: 'bad', text: `${folder} takes no files: ${fault.reason}` });
    else findings.push(freeSpaceFinding(about, folder, (await readFreeSpace(folder))?.freeBytes));
  }
  return findings;
}

/** Variables that are not read although they look like it, and those that have no effect. */
export function checkVariables(source?: EnvironmentSource): CheckupFinding[] {
  const unknown = findUnknownVariables(source).map(
    ({ name, nearest }) => `${name} is not read by the service${nearest ? `: is ${nearest} meant?` : ''}`,
  );
  return [...unknown, ...findIdleVariables(source)].map((text) => ({
    about: 'configuration',
    verdict: 'warning',
    text,
  }));
}
