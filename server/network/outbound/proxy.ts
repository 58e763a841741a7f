import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isNamedByRules } from '@/server/platform/env/host-rules';
import { getRuntime } from '@/server/platform/runtime';
import { resolveAllowedAddresses } from './lookup';

interface ProxiedHost {
  host: string;
  port: number;
}

/** The operator's proxy for calls by HTTP to a host; undefined: they go there directly. */
export function findProxyForHost({ host, port }: ProxiedHost): URL | undefined {
  const { httpsProxy, noProxy } = getRuntime().env;
  return httpsProxy === undefined || isNamedByRules(noProxy, host, port) ? undefined : new URL(httpsProxy);
}

const bracketIpv6 = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);
const hostWithPort = (host: string, port: number) => `${bracketIpv6(host)}:${port}`;

/**
 * The host that the proxy is asked for: an address that was resolved and checked here, which prevents DNS rebinding,
 * unless the operator trusts the proxy.
 */
async function resolveCheckedHost(workspaceId: string | null, host: string): Promise<string> {
  if (workspaceId === null || isIP(host) !== 0 || getRuntime().env.isEgressProxyTrusted) return host;
  const [first] = await resolveAllowedAddresses(workspaceId, host);
  return first?.address ?? host;
}

/**
 * A connection to a server through the proxy (CONNECT). Rejects with NodeFailure: EGRESS_DENIED, CONNECT (final if the
 * proxy refuses), TIMEOUT, or with the error of the connection to the proxy.
 */
export async function openProxyTunnel(
  proxy: URL,
  { host, port }: ProxiedHost,
  { workspaceId, timeoutMs }: { workspaceId: string | null; timeoutMs: number },
): Promise<Socket> {
  const authority = hostWithPort(await resolveCheckedHost(workspaceId, host), port);
  const userInfo = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const authorization =
    userInfo === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(userInfo).toString('base64')}` };
  const isSecure = proxy.protocol === 'https:';
  const send = isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (isSecure ? 443 : 80),
      path: authority,
      headers: { host: authority, ...authorization },
      agent: false,
      timeout: timeoutMs,
    });
    const refuse = ({ statusCode = 0 }: IncomingMessage, socket?: Socket) => {
      socket?.destroy();
      const message = `The proxy ${proxy.host} refused a connection to ${authority}: ${statusCode}`;
      reject(new NodeFailure('CONNECT', message, statusCode >= 500));
    };
    request.once('connect', (answer: IncomingMessage, socket: Socket, head: Buffer) => {
      if (answer.statusCode !== 200 || head.length > 0) return refuse(answer, socket);
      resolve(socket.setTimeout(0));
    });
    // An answer with a body, as some proxies give to what they refuse.
    request.once('response', (answer) => {
      refuse(answer);
      request.destroy();
    });
    request.once('timeout', () => {
      reject(new NodeFailure('TIMEOUT', `The proxy ${proxy.host} did not answer within ${timeoutMs} ms.`));
      request.destroy();
    });
    request.on('error', reject);
    request.end();
  });
}
