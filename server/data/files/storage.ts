import path from 'node:path';
import { getRuntime } from '@/server/platform/runtime';
import type { FileStorage } from './file-storage';
import { LocalStorage } from './local-storage';
import { S3Storage } from './s3-storage';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Opened at first use. */
    fileStorage?: FileStorage;
  }
}

/** The folder of the files, which also has the temporary ones. */
export const filesFolder = (): string => path.resolve(getRuntime().env.dataDir, 'files');

/** The storage of this process. */
export function openFileStorage(): FileStorage {
  const { filesUrl, filesAccessKeyId = '', filesSecretAccessKey = '' } = getRuntime().env;
  return (getRuntime().fileStorage ??= filesUrl
    ? new S3Storage(filesUrl, { accessKeyId: filesAccessKeyId, secretAccessKey: filesSecretAccessKey })
    : new LocalStorage(filesFolder()));
}
