import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import { expect } from 'vitest';
import { SocketServerMessage } from '@/contract/channel';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { buildWorkflow } from '@/server/testing/factories';
import { attachLiveChannel } from '../attach';
import type { ConnectionTimeouts } from '../connection';

/** Test timeout for expected messages, in milliseconds. */
export const DEADLINE = { timeout: 8000, interval: 10 };

/** A server with only the channel, on a free port. */
export async function startChannel(timeouts?: ConnectionTimeouts): Promise<{ port: number; stop(): Promise<void> }> {
  const http = createServer((_, response) => response.writeHead(404).end());
  const channel = await attachLiveChannel(http, timeouts);
  http.on('upgrade', (request, socket, head) => {
    if (!channel.handleUpgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    async stop() {
      await channel.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A WebSocket client that records all messages and validates each against the documented schema. */
export class Client {
  readonly heard: SocketServerMessage[] = [];
  closedWith: number | undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.heard.push(SocketServerMessage.parse(JSON.parse(String(data)))));
    socket.on('close', (code) => (this.closedWith = code));
    socket.on('error', () => undefined);
  }

  /** Connected, and with a token also authenticated. */
  static async connect(port: number, token?: string): Promise<Client> {
    const client = new Client(new WebSocket(`ws://127.0.0.1:${port}/ws`));
    await new Promise((resolve, reject) => client.socket.once('open', resolve).once('error', reject));
    if (token) client.send({ type: 'auth', token });
    return client;
  }

  send(frame: unknown): void {
    this.socket.send(JSON.stringify(frame));
  }

  subscribe(executionId: string): void {
    this.send({ type: 'subscribe', channel: 'execution', executionId });
  }

  unsubscribe(executionId: string): void {
    this.send({ type: 'unsubscribe', channel: 'execution', executionId });
  }

  /**
   * The messages of one execution in short form: `running`, `a:completed`, `a={"x":1}`, `END completed={…}`,
   * `!message`.
   */
  of(executionId?: string): string[] {
    return this.heard.filter((message) => message.executionId === executionId).map(inShort);
  }

  until = (what: () => unknown) => expect.poll(what, DEADLINE);
}

export function inShort(message: SocketServerMessage): string {
  switch (message.type) {
    case 'execution_update':
      return message.nodeId === undefined ? message.status : `${message.nodeId}:${message.status}`;
    case 'node_completed':
      return `${message.nodeId}=${JSON.stringify(message.output)}`;
    case 'execution_completed':
      return `END ${message.status}=${JSON.stringify(message.output)}`;
    case 'error':
      return `!${message.message}`;
  }
}

/** start → a → b, and c without an edge that leads to it. */
const CHAIN: WorkflowDefinition = {
  nodes: ['b', 'a', 'c', 'start'].map((id, index) => ({
    id,
    type: id === 'start' ? 'start' : 'condition',
    position: { x: index * 100, y: 0 },
    config: id === 'start' ? {} : { expression: 'true' },
  })),
  connections: [
    { sourceNode: 'start', sourcePort: 'output', targetNode: 'a', targetPort: 'input' },
    { sourceNode: 'a', sourcePort: 'true', targetNode: 'b', targetPort: 'input' },
    { sourceNode: 'a', sourcePort: 'false', targetNode: 'c', targetPort: 'input' },
  ],
};

interface Written {
  status?: string;
  output?: unknown;
  nodes?: Record<string, { status: string; port?: string; output?: unknown }>;
  /** A version of the channel that loses notifications. */
  isSilent?: boolean;
}

/** An accepted run; the test plays the worker. */
export class TestRun {
  private constructor(readonly id: string) {}

  static async accept(workspaceId: string): Promise<TestRun> {
    const workflowId = await buildWorkflow({ workspaceId, definition: CHAIN });
    const id = generateOrderedId('exec');
    const facts = { workspaceId, workflowId, workflowVersion: 1, trigger: 'manual', input: {} };
    await prismaClient().execution.create({ data: { id, status: 'pending', ...facts } });
    return new TestRun(id);
  }

  /** One checkpoint: one transaction and one revision. */
  async write({ status = 'running', output = null, nodes = {}, isSilent = false }: Written): Promise<void> {
    const isFinal = status === 'completed' || status === 'failed';
    const connection = await databasePool().connect();
    try {
      await connection.query('BEGIN');
      const { rows } = await connection.query<{ revision: number }>(
        `UPDATE execution SET revision = revision + 1, status = $2, output = $3, completed_at = $4 WHERE id = $1
        RETURNING revision`,
        [this.id, status, isFinal ? JSON.stringify(output) : null, isFinal ? new Date() : null],
      );
      for (const [nodeId, node] of Object.entries(nodes)) {
        const isOver = node.status === 'completed' || node.status === 'failed';
        await connection.query(
          `INSERT INTO node_result (execution_id, node_id, status, port, attempts, output, started_at, completed_at, revision)
          VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8)
          ON CONFLICT (execution_id, node_id) DO UPDATE SET status = excluded.status, port = excluded.port,
            output = excluded.output, completed_at = excluded.completed_at, revision = excluded.revision`,
          [
            this.id,
            nodeId,
            node.status,
            node.port ?? null,
            JSON.stringify(node.output ?? null),
            new Date(),
            isOver ? new Date() : null,
            rows[0]?.revision,
          ],
        );
      }
      if (!isSilent) await connection.query("SELECT pg_notify('weft_changes', $1)", [JSON.stringify([this.id])]);
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
  }
}
