import type { RemoteCredential, RemoteUseOptions } from './credential';

/** Connects and signs in without changing anything; tells what was found. Throws NodeFailure. */
export async function checkRemoteServer(credential: RemoteCredential, use: RemoteUseOptions): Promise<string> {
  // Each library is loaded on demand: few workspaces use them.
  if (credential.type === 'ssh') return (await import('./ssh')).checkSshLogin(credential, use);
  return (await import('./ftp')).checkFtpLogin(credential, use);
}
