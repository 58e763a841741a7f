import path from 'node:path';
import { runtime } from '@/server/runtime';
import type { FileStorage } from './file-storage';
import { LocalStorage } from './local-storage';
import { S3Storage } from './s3-storage';

declare module '@/server/runtime' {
  interface Runtime {
    /** Opened at first use. */
    fileStorage?: FileStorage;
  }
}

/** The folder of the files, which also has the temporary ones. */
export const filesFolder = (): string => path.resolve(runtime().env.dataDir, 'files');

/** The storage of this process. */
export function fileStorage(): FileStorage {
  const { filesUrl, filesAccessKeyId = '', filesSecretAccessKey = '' } = runtime().env;
  return (runtime().fileStorage ??= filesUrl
    ? new S3Storage(filesUrl, { accessKeyId: filesAccessKeyId, secretAccessKey: filesSecretAccessKey })
    : new LocalStorage(filesFolder()));
}
