import { NodeFailure } from '@/server/platform/errors/node-failure';
import { WorkspaceSemaphores } from './workspace-semaphores';

/** An open credential of a server. */
export interface RemoteCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** The parts of a node's attempt that its connection needs. */
export interface RemoteUseOptions {
  signal: AbortSignal;
  /** Removes secrets from the words of a server, before they are shortened. */
  redact(text: string): string;
}

/** Milliseconds for a connection, with its login. */
export const REMOTE_CONNECT_TIMEOUT_MS = 20_000;

export const MAX_REMOTE_CONNECTIONS = 10;

/** Connections of a workspace in this process, by SSH and FTP together. A connection lasts for one use. */
export const remoteSemaphores = new WorkspaceSemaphores(MAX_REMOTE_CONNECTIONS);

/** The connections of this process. */
export const countRemoteConnections = (): number => remoteSemaphores.open;

export const wrongCredentialFailure = ({ name }: RemoteCredential, kind: string): NodeFailure =>
  new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of ${kind}.`, false);
