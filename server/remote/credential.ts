import { NodeFailure } from '@/server/errors/node-failure';
import { Turns } from './turns';

/** An open credential of a server. */
export interface RemoteCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** What an attempt of a node gives to its connection. */
export interface Use {
  signal: AbortSignal;
  /** Removes secrets from the words of a server, before they are shortened. */
  redact(text: string): string;
}

/** Milliseconds for a connection, with its login. */
export const CONNECT_MS = 20_000;

export const MAX_REMOTE_CONNECTIONS = 10;

/** Connections of a workspace in this process, by SSH and FTP together. A connection lasts for one use. */
export const turns = new Turns(MAX_REMOTE_CONNECTIONS);

/** The connections of this process. */
export const remoteConnections = (): number => turns.open;

export const wrongKind = ({ name }: RemoteCredential, kind: string): NodeFailure =>
  new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of ${kind}.`, false);
