import { hostileServers } from '../../server/testing/growth/hostile-servers';
import type { RunningServer } from '../../server/testing/growth/hostile-server';
import type { Attack } from './attack';
import { refusalOf, settle, type Answer, type Tenant } from './tenant';

/** Lets the service call a server of the workspace; returns what came of it. */
type Call = (hostile: Tenant, server: RunningServer) => Promise<string>;

async function credentialFor(hostile: Tenant, { credential }: RunningServer): Promise<string> {
  if (!credential) throw new Error('This server needs no credential.');
  const { body } = await hostile.call('POST', '/api/credentials', { name: `c${performance.now()}`, ...credential });
  return String(body['id']);
}

/** By the test of a credential, which the main thread makes while its caller waits. */
const byTest: Call = async (hostile, server) => {
  const id = await credentialFor(hostile, server);
  const answer: Answer = await hostile.call('POST', `/api/credentials/${id}/test`, {});
  return answer.status === 200 ? 'tested' : refusalOf(answer);
};

const byRun =
  (step: (hostile: Tenant, server: RunningServer) => Promise<Record<string, unknown> & { type: string }>): Call =>
  async (hostile, server) => {
    const workflowId = await hostile.workflow({ call: await step(hostile, server) });
    const started = await hostile.execute(workflowId);
    return started.status === 202 ? settle(hostile, String(started.body['executionId'])) : refusalOf(started);
  };

const CALLS: Record<string, Call> = {
  smtp: byTest,
  imap: byTest,
  mcp: byTest,
  model: byRun(async (hostile, server) => ({
    type: 'llm',
    credentialId: await credentialFor(hostile, server),
    config: { model: 'x', prompt: 'Hi' },
  })),
  http: byRun(async (_, { url }) => ({ type: 'http_request', config: { url } })),
};

const clientOf = (name: string) => name.split(/[:,]/, 1)[0] ?? '';

/** All hostile servers of a client, one after the other. */
const servers = (client: string, call: Call): Attack => ({
  name: `server: ${client}`,
  async run(hostile, isOver) {
    const own = Object.entries(hostileServers).filter(([name]) => clientOf(name) === client);
    const outcomes = new Set<string>();
    for (let at = 0; !isOver(); at += 1) {
      const [, server] = own[at % own.length] ?? [];
      if (!server) throw new Error(`There is no hostile server for ${client}.`);
      const running = await server.start(server.largest);
      try {
        outcomes.add(await call(hostile, running));
      } finally {
        await running.close();
      }
    }
    return [...outcomes].toSorted().join(', ');
  },
});

/** Servers that a workspace has connected, and that answer the service with as much as it accepts. */
export const SERVERS: Attack[] = [...new Set(Object.keys(hostileServers).map(clientOf))].flatMap((client) => {
  const call = CALLS[client];
  return call ? [servers(client, call)] : [];
});
