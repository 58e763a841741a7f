import { isIP, Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isEgressAllowed } from './egress';
import { egressDeniedFailure, createWorkspaceLookup } from './lookup';

export interface SocketTarget {
  /** The workspace whose share of look-ups is used. */
  workspaceId: string;
  host: string;
  port: number;
}

/**
 * A TCP connection to a server that a workspace has chosen, for protocols other than HTTP. A driver that is given the
 * socket cannot connect it to another address: `connect` ignores what the driver passes.
 */
export class OutboundSocket extends Socket {
  /** Read by tls.connect: the name or address that a certificate must be for, if the driver names none. */
  readonly _host: string;

  constructor(private readonly target: SocketTarget) {
    super();
    this._host = target.host;
  }

  override connect(): this {
    const { workspaceId, host, port } = this.target;
    // Literal addresses skip the look-up, so they are checked here.
    if (isIP(host) !== 0 && !isEgressAllowed(host, host)) return this.destroy(egressDeniedFailure(host));
    return super.connect({ host, port, lookup: createWorkspaceLookup(workspaceId), autoSelectFamily: true });
  }
}

/**
 * A further connection to the server of another one, for protocols that have several. It goes to the address that the
 * first one has reached: a driver, or what the server has told it, chooses the port only.
 */
export class PeerSocket extends Socket {
  constructor(private readonly first: OutboundSocket) {
    super();
  }

  override connect(...[target, ...rest]: unknown[]): this {
    const host = this.first.remoteAddress;
    const { port } = target as { port?: unknown };
    const onConnect = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (host === undefined || !Number.isInteger(port))
      return this.destroy(new Error('there is no server to connect to'));
    return super.connect({ host, port: Number(port) }, onConnect);
  }
}

/** A server that is reached by TLS. */
interface SecureServer {
  host: string;
  /** In PEM format, in place of the public CAs. */
  ca?: string | undefined;
  /** False: any certificate is accepted. */
  isVerified?: boolean;
}

/** TLS over a connection to a server, whose certificate is verified. */
export function startVerifiedTls(socket: Socket, { host, ca, isVerified = true }: SecureServer): TLSSocket {
  // Names are verified against `servername`, addresses against `host`.
  const secure = connect({
    socket,
    ca,
    rejectUnauthorized: isVerified,
    ...(isIP(host) ? { host } : { servername: host }),
  });
  // A connection that was refused before it began does not tell.
  socket.once('error', (error) => secure.destroy(error));
  return secure;
}
