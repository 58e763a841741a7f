import { z } from 'zod';
import { SocketClientMessage, SocketServerMessage } from '@/contract/channel';
import { version } from '@/server/platform/release';
import { getRuntime } from '@/server/platform/runtime';

const MESSAGE_SUMMARIES: Readonly<Record<string, string>> = {
  auth: 'Signs the connection in; the first message. The token is an access token or an API key.',
  subscribe: 'Asks for the events of a run. Nodes that have finished are sent at once.',
  unsubscribe: 'Ends the events of a run.',
  execution_update: 'A run, or with `nodeId` one of its nodes, has a new state.',
  node_completed: 'A node has completed; its output.',
  execution_completed: 'A run has ended; its output. The last event of the run.',
  error: 'A refusal, such as of a run that the user may not read.',
};

type TypedMessageSchema = z.ZodObject<{ type: z.ZodLiteral<string> }>;

const describeMessages = (union: { options: readonly z.ZodType[] }) =>
  Object.fromEntries(
    (union.options as readonly TypedMessageSchema[]).map((message) => {
      const name = message.shape.type.value;
      const payload = z.toJSONSchema(message, { target: 'draft-7' });
      return [name, { name, summary: MESSAGE_SUMMARIES[name] ?? name, payload: inlineDefinitions(payload) }];
    }),
  );

/** A payload stands alone: what it refers to is repeated in it. */
function inlineDefinitions({ $schema: _, definitions = {}, ...schema }: Record<string, unknown>): object {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: string };
    if ($ref) return resolve((definitions as Record<string, unknown>)[$ref.slice('#/definitions/'.length)]);
    const { id: _id, ...rest } = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(typeof _id === 'string' ? rest : value).map(([key, inner]) => [key, resolve(inner)]),
    );
  };
  return resolve(schema) as object;
}

const messageReferences = (messages: object) =>
  Object.keys(messages).map((name) => ({ $ref: `#/channels/executions/messages/${name}` }));

/** The AsyncAPI 3.0 document of the WebSocket channel, as plain JSON, with the public address of the service. */
export function buildAsyncApiDocument(address: string = getRuntime().env.apiBaseUrl) {
  const { host, protocol } = new URL(address);
  const sent = describeMessages(SocketClientMessage);
  const received = describeMessages(SocketServerMessage);
  const channel = { $ref: '#/channels/executions' };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Weft events',
      version,
      description:
        'Events of runs over a WebSocket: JSON texts, one message each. A connection that is not signed in within ten seconds, or whose ' +
        'token is revoked, is closed with 4401.',
    },
    defaultContentType: 'application/json',
    servers: { service: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    channels: {
      executions: {
        address: '/ws',
        description: 'The runs that the user may read.',
        messages: { ...sent, ...received },
      },
    },
    operations: {
      send: { action: 'receive', channel, summary: 'What clients send.', messages: messageReferences(sent) },
      receive: { action: 'send', channel, summary: 'What the service sends.', messages: messageReferences(received) },
    },
  };
}
