import { Agent, buildConnector } from 'undici';
import { getRuntime } from '@/server/platform/runtime';
import { createWorkspaceLookup, requireAllowedIpAddress } from './lookup';
import { openProxyTunnel, findProxyForHost } from './proxy';
import { acceptOddHeads } from './response-heads';

const HOST_CONNECT_TIMEOUT_MS = 10_000;
export const HTTP_AGENT_LIMITS = {
  connections: 256,
  maxHeaderSize: 65_536,
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
};

/**
 * Connects to the addresses that a workspace may call, or, null, to any: directly, or through the operator's proxy.
 * `isVerified`: servers need a certificate that is valid for their name. The proxy always does.
 */
function createAgent(workspaceId: string | null, isVerified = true): Agent {
  const lookup = workspaceId === null ? {} : { lookup: createWorkspaceLookup(workspaceId) };
  const direct = buildConnector({
    ...lookup,
    timeout: HOST_CONNECT_TIMEOUT_MS,
    ...(isVerified ? {} : { rejectUnauthorized: false }),
  });
  return new Agent({
    ...HTTP_AGENT_LIMITS,
    connect: (options, answer) => {
      const callback: typeof answer = (...[error, socket]) =>
        socket ? answer(null, acceptOddHeads(socket)) : answer(error ?? new Error('there is no connection'), null);
      const target = {
        host: options.hostname,
        port: Number(options.port) || (options.protocol === 'https:' ? 443 : 80),
      };
      const proxy = findProxyForHost(target);
      try {
        // Literal addresses skip the look-up, so they are checked here.
        if (workspaceId !== null) requireAllowedIpAddress(target.host);
      } catch (error) {
        return callback(error as Error, null);
      }
      if (!proxy) return direct(options, callback);
      openProxyTunnel(proxy, target, { workspaceId, timeoutMs: HOST_CONNECT_TIMEOUT_MS }).then(
        (socket) =>
          options.protocol === 'https:' ? direct({ ...options, httpSocket: socket }, callback) : callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });
}

/** The connections of one workspace. */
interface WorkspaceConnections {
  agent: Agent;
  calls: number;
  usedAt: number;
}

/** Milliseconds without a call after which a workspace's connections are closed. */
const IDLE_CONNECTIONS_MS = 30_000;
const connectionsByPolicy = new Map<string, WorkspaceConnections>();
let connectionsSweptAt = 0;

/** The settings that decide where connections lead. One that was made under other settings must not be used again. */
function egressPolicyKey(): string {
  const { egressAllowPrivate, egressAllow, httpsProxy, noProxy, isEgressProxyTrusted } = getRuntime().env;
  return JSON.stringify([egressAllowPrivate, egressAllow, httpsProxy, noProxy, isEgressProxyTrusted]);
}

/**
 * Connections are pooled per workspace, so that no workspace waits for those of others, and per policy. Those to servers
 * whose certificate was not verified are never used for calls that verify it.
 */
export function findWorkspaceConnections(workspaceId: string, isVerified = true): WorkspaceConnections {
  const now = performance.now();
  if (now - connectionsSweptAt > IDLE_CONNECTIONS_MS) closeIdleConnections((connectionsSweptAt = now));
  const key = `${egressPolicyKey()} ${isVerified} ${workspaceId}`;
  const agent = () => createAgent(workspaceId, isVerified);
  const connections = connectionsByPolicy.get(key) ?? { agent: agent(), calls: 0, usedAt: now };
  connectionsByPolicy.set(key, connections);
  connections.usedAt = now;
  return connections;
}

function closeIdleConnections(now: number): void {
  for (const [key, { agent, calls, usedAt }] of connectionsByPolicy) {
    if (calls > 0 || now - usedAt < IDLE_CONNECTIONS_MS) continue;
    connectionsByPolicy.delete(key);
    void agent.destroy();
  }
}

let operatorConnections: { key: string; agent: Agent } | undefined;

/** Connections to servers that the operator has chosen: their addresses are not checked. */
export function operatorAgent(): Agent {
  const key = egressPolicyKey();
  if (operatorConnections?.key !== key) operatorConnections = { key, agent: createAgent(null) };
  return operatorConnections.agent;
}

/** Closes pooled connections at shutdown. */
export async function closeOutboundConnections(): Promise<void> {
  const all = [...connectionsByPolicy.values()];
  connectionsByPolicy.clear();
  await operatorConnections?.agent.destroy();
  operatorConnections = undefined;
  await Promise.all(all.map(({ agent }) => agent.destroy()));
}
