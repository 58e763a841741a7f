import type { RemoteCredential, Use } from './credential';

/** Connects and signs in without changing anything; tells what was found. Throws NodeFailure. */
export async function checkRemote(credential: RemoteCredential, use: Use): Promise<string> {
  // Each library is loaded on demand: few workspaces use them.
  if (credential.type === 'ssh') return (await import('./ssh')).checkSsh(credential, use);
  return (await import('./ftp')).checkFtp(credential, use);
}
