import type { RemoteCredential, RemoteUseOptions } from '@/server/network/remote/credential';

/** An open credential of a server. */
export const remoteCredential = (
  type: 'ssh' | 'ftp',
  config: Record<string, unknown>,
  workspaceId = 'ws_test',
): RemoteCredential => ({ workspaceId, name: 'Test', type, config });

/** What a node gives to its connection. */
export const use = (signal = new AbortController().signal): RemoteUseOptions => ({ signal, redact: (text) => text });
