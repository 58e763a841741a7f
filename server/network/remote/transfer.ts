import type { Readable } from 'node:stream';
import type { RemoteEntry } from './entries';
import { wrongCredentialFailure, type RemoteCredential, type RemoteUseOptions } from './credential';

/** The files of a server. Methods are called one after the other, and throw NodeFailure. */
export interface RemoteFiles {
  list(folder: string): Promise<RemoteEntry[]>;
  /** The content from the beginning; ends only when all of it has arrived. */
  read(path: string): AsyncIterable<Buffer>;
  /** Replaces a file that exists. */
  write(path: string, content: Readable): Promise<void>;
  /** Removes a file, or a folder that is empty. */
  remove(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** A folder that exists is left as it is. */
  makeFolder(path: string): Promise<void>;
}

/** Connects by SFTP or FTP, lets `work` act on the files, and closes the connection. Throws NodeFailure. */
export async function withRemoteFiles<Result>(
  credential: RemoteCredential,
  use: RemoteUseOptions,
  work: (files: RemoteFiles) => Promise<Result>,
): Promise<Result> {
  // Each library is loaded on demand: few workspaces use them.
  if (credential.type === 'ssh') {
    const { withSftpFiles: withSftp } = await import('./sftp');
    return withSftp(credential, use, work);
  }
  if (credential.type !== 'ftp') throw wrongCredentialFailure(credential, 'an SSH or FTP server');
  const { withFtpFiles: withFtp } = await import('./ftp');
  return withFtp(credential, use, work);
}
