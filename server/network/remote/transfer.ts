import type { RemoteFiles } from './entries';
import { wrongCredentialFailure, type RemoteCredential, type RemoteUseOptions } from './credential';

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
