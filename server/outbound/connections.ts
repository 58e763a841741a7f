import { Agent, buildConnector } from 'undici';
import { runtime } from '@/server/runtime';
import { lookupFor, requireAllowedLiteral } from './lookup';
import { openTunnel, proxyFor } from './proxy';
import { takeOddHeads } from './response-heads';

const CONNECT_MS = 10_000;
export const HOST_LIMITS = {
  connections: 256,
  maxHeaderSize: 65_536,
  headersTimeout: 0,
  bodyTimeout: 0,
  allowH2: false,
};

/** Connects to the addresses that a workspace may call, or, null, to any: directly, or through the operator's proxy. */
function agentFor(workspaceId: string | null): Agent {
  const lookup = workspaceId === null ? {} : { lookup: lookupFor(workspaceId) };
  const direct = buildConnector({ ...lookup, timeout: CONNECT_MS });
  return new Agent({
    ...HOST_LIMITS,
    connect: (options, answer) => {
      const callback: typeof answer = (...[error, socket]) =>
        socket ? answer(null, takeOddHeads(socket)) : answer(error ?? new Error('there is no connection'), null);
      const target = {
        host: options.hostname,
        port: Number(options.port) || (options.protocol === 'https:' ? 443 : 80),
      };
      const proxy = proxyFor(target);
      try {
        // Literal addresses skip the look-up, so they are checked here.
        if (workspaceId !== null) requireAllowedLiteral(target.host);
      } catch (error) {
        return callback(error as Error, null);
      }
      if (!proxy) return direct(options, callback);
      openTunnel(proxy, target, { workspaceId, timeoutMs: CONNECT_MS }).then(
        (socket) =>
          options.protocol === 'https:' ? direct({ ...options, httpSocket: socket }, callback) : callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });
}

/** The connections of one workspace. */
interface Connections {
  agent: Agent;
  calls: number;
  usedAt: number;
}

/** Milliseconds without a call after which a workspace's connections are closed. */
const IDLE_MS = 30_000;
const open = new Map<string, Connections>();
let sweptAt = 0;

/** The settings that decide where connections lead. One that was made under other settings must not be used again. */
function policyKey(): string {
  const { egressAllowPrivate, egressAllow, httpsProxy, noProxy, isEgressProxyTrusted } = runtime().env;
  return JSON.stringify([egressAllowPrivate, egressAllow, httpsProxy, noProxy, isEgressProxyTrusted]);
}

/** Connections are pooled per workspace, so that no workspace waits for those of others, and per policy. */
export function connectionsOf(workspaceId: string): Connections {
  const now = performance.now();
  if (now - sweptAt > IDLE_MS) closeIdle((sweptAt = now));
  const key = `${policyKey()} ${workspaceId}`;
  const connections = open.get(key) ?? { agent: agentFor(workspaceId), calls: 0, usedAt: now };
  open.set(key, connections);
  connections.usedAt = now;
  return connections;
}

function closeIdle(now: number): void {
  for (const [key, { agent, calls, usedAt }] of open) {
    if (calls > 0 || now - usedAt < IDLE_MS) continue;
    open.delete(key);
    void agent.destroy();
  }
}

let ofOperator: { key: string; agent: Agent } | undefined;

/** Connections to servers that the operator has chosen: their addresses are not checked. */
export function operatorAgent(): Agent {
  const key = policyKey();
  if (ofOperator?.key !== key) ofOperator = { key, agent: agentFor(null) };
  return ofOperator.agent;
}

/** Closes pooled connections at shutdown. */
export async function closeOutbound(): Promise<void> {
  const all = [...open.values()];
  open.clear();
  await ofOperator?.agent.destroy();
  ofOperator = undefined;
  await Promise.all(all.map(({ agent }) => agent.destroy()));
}
