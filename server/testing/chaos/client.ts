import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ExecutionResponse } from '@/contract/execution';
import type { ApprovalDecision } from '@/contract/approval';
import { isFinalStatus } from '@/contract/states';
import type { SocketServerMessage } from '@/contract/channel';
import type { Happening } from './history';
import type { Random } from './random';

export interface Workflow {
  id: string;
  name: string;
  /** Signs deliveries to its webhook `in`. */
  secret: string;
}

/** The service from a client's view. */
export interface Service {
  /** URLs of web processes, possibly of dead ones. */
  urls(): string[];
  token: string;
  workflows: Workflow[];
}

const PATIENCE_MS = 5000;
const RETRY_MS = 100;

interface Answer {
  status: number;
  body: unknown;
}

/** A client that starts and observes runs during faults, and records the responses. */
export class Client {
  private isLeaving = false;
  private readonly sockets = new Set<WebSocket>();

  constructor(
    private readonly name: string,
    private readonly service: Service,
    private readonly history: Happening[],
    private readonly random: Random,
  ) {}

  /** Executes one story after the other until `leave`. */
  async stay(): Promise<void> {
    for (let count = 0; !this.isLeaving; count += 1) await this.tell(`${this.name}.${count}`);
    for (const socket of this.sockets) socket.terminate();
  }

  leave(): void {
    this.isLeaving = true;
  }

  private async tell(story: string): Promise<void> {
    const workflow = this.random.pick(this.service.workflows);
    const executionId = await this.request(workflow, story);
    if (!executionId) return;
    if (this.random.chance(0.3)) this.watch(executionId);
    const isToBeCancelled = this.random.chance(0.1);
    while (!this.isLeaving) {
      await pause(this.random.between(50, 600));
      const execution = await this.read(executionId);
      if (!execution) continue;
      if (isFinalStatus(execution.status)) return;
      if (execution.status === 'paused' && workflow.name === 'approval') await this.decide(executionId);
      if (isToBeCancelled && this.random.chance(0.3)) await this.cancel(executionId);
    }
  }

  /** Retries until a response arrives, with the same idempotency key, so that one run is started. */
  private async request({ id, secret }: Workflow, story: string): Promise<string | undefined> {
    const input = {
      story,
      text: 'naïve "quotes" \u{1F9F5}',
      numbers: [1, 2.5, -3e-7],
      nested: { empty: {}, none: null },
    };
    const isDelivery = this.random.chance(0.5);
    const raw = JSON.stringify(isDelivery ? input : { input });
    const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
    const [path, headers] = isDelivery
      ? [`/webhooks/${id}/in`, { 'x-service-signature': signature, 'x-service-delivery': story }]
      : [`/api/workflows/${id}/execute`, { 'idempotency-key': story }];
    while (!this.isLeaving) {
      const answer = await this.send('POST', path, raw, headers);
      if (answer?.status === 202) {
        const { executionId } = answer.body as { executionId: string };
        this.history.push({ kind: 'accepted', at: Date.now(), story, executionId, input });
        return executionId;
      }
      await pause(RETRY_MS);
    }
    return undefined;
  }

  private async read(executionId: string): Promise<ExecutionResponse | undefined> {
    const askedAt = Date.now();
    const answer = await this.send('GET', `/api/executions/${executionId}`);
    if (answer?.status !== 200) return undefined;
    const execution = answer.body as ExecutionResponse;
    this.history.push({ kind: 'read', askedAt, at: Date.now(), execution });
    return execution;
  }

  /** Two concurrent decisions, equal or different. */
  private async decide(executionId: string): Promise<void> {
    await Promise.all(
      [1, 2].map(async () => {
        const decision: ApprovalDecision = this.random.chance(0.7) ? 'approved' : 'rejected';
        const askedAt = Date.now();
        const body = JSON.stringify({ nodeId: 'ask', decision });
        const answer = await this.send('POST', `/api/executions/${executionId}/resume`, body);
        const status = answer?.status ?? 0;
        this.history.push({ kind: 'decided', askedAt, at: Date.now(), executionId, decision, status });
      }),
    );
  }

  private async cancel(executionId: string): Promise<void> {
    const askedAt = Date.now();
    const answer = await this.send('POST', `/api/executions/${executionId}/cancel`);
    const status = answer?.status ?? 0;
    this.history.push({ kind: 'cancelled', askedAt, at: Date.now(), executionId, status });
  }

  private watch(executionId: string): void {
    const urls = this.service.urls();
    // All web processes were killed and none has restarted yet.
    if (urls.length === 0) return;
    const socket = new WebSocket(`${this.random.pick(urls).replace('http', 'ws')}/ws`);
    const watcher = `${executionId} by ${this.name}`;
    this.sockets.add(socket);
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'auth', token: this.service.token }));
      socket.send(JSON.stringify({ type: 'subscribe', channel: 'execution', executionId }));
    });
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as SocketServerMessage;
      this.history.push({ kind: 'told', at: Date.now(), watcher, message });
      if (message.type === 'execution_completed') socket.close();
    });
    // Its process was killed: reads continue on other processes.
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }

  /** Undefined: no response, and the outcome is unknown. */
  private async send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    try {
      const response = await fetch(this.random.pick(this.service.urls()) + path, {
        method,
        body,
        headers: {
          authorization: `Bearer ${this.service.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}
