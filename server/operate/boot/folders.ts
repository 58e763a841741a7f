import path from 'node:path';
import { ConfigurationError, type ServiceEnv } from '@/server/platform/env/env';
import { findFolderFault, temporaryFilesFolder } from '@/server/data/files/disk';

/** The database may have to run as another user below the folder. */
const DATA_FOLDER_MODE = 0o711;

/**
 * Ends a start whose folders cannot be written: each process receives files there, wherever they are stored. A full
 * disk is no reason, because reading and what needs no files go on; /readyz says it. Throws ConfigurationError.
 */
export async function requireWritableFolders({ dataDir }: ServiceEnv): Promise<void> {
  for (const [folder, mode] of [[path.resolve(dataDir), DATA_FOLDER_MODE], [temporaryFilesFolder(dataDir)]] as const) {
    const fault = await findFolderFault(folder, mode);
    if (fault && !fault.isFull)
      throw new ConfigurationError([`DATA_DIR: ${folder} cannot be written: ${fault.reason}`]);
  }
}
