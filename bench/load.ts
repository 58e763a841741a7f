import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';

/** How a webhook verifies its senders. */
export type Verification = 'signature' | 'none' | 'github';

/** The address of a webhook and its signing secret. */
export interface Target {
  origin: string;
  path: string;
  secret: string;
  verification: Verification;
}

export interface Load {
  /** Requests that got the expected answer. */
  accepted: number;
  seconds: number;
  /** Milliseconds from sending to the answer. */
  answer: Percentiles;
}

export interface Percentiles {
  p50: number;
  p99: number;
  worst: number;
}

export function percentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), worst: sorted.at(-1) ?? Number.NaN };
}

/**
 * Posts `requests` signed webhooks over `connections` keep-alive connections. Each connection sends the next request
 * after the answer.
 */
export function load(target: Target, connections: number, requests: number, status = 202): Promise<Load> {
  return send(signed(target), status, connections, requests);
}

/**
 * Posts webhooks over `connections` connections until it is stopped, ignoring the responses. Returns the number of
 * posts.
 */
export function flood(target: Target, connections: number): { stop(): Promise<number> } {
  const agent = new Agent({ connections, pipelining: 1 });
  const request = signed(target);
  let isOver = false;
  let posted = 0;
  const sender = async () => {
    while (!isOver) {
      const answer = await agent.request(request);
      await answer.body.dump();
      posted += 1;
    }
  };
  const senders = Promise.all(Array.from({ length: connections }, sender));
  return {
    async stop() {
      isOver = true;
      await senders;
      await agent.close();
      return posted;
    },
  };
}

const HEADERS: Record<Verification, (signature: string) => Record<string, string>> = {
  signature: (signature) => ({ 'x-service-signature': signature }),
  none: () => ({}),
  // Without its delivery id: the same request is sent again and again.
  github: (signature) => ({ 'x-hub-signature-256': signature, 'x-github-event': 'push' }),
};

function signed(target: Target): Dispatcher.RequestOptions {
  const body = JSON.stringify({ event: 'order.created', data: { id: 7, total: 120.5, customer: 'Ada' } });
  const signature = `sha256=${createHmac('sha256', target.secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', ...HEADERS[target.verification](signature) };
  return { origin: target.origin, path: target.path, method: 'POST', headers, body };
}

/** Repeats the same request. */
export async function send(
  request: Dispatcher.RequestOptions,
  status: number,
  connections: number,
  requests: number,
): Promise<Load> {
  const agent = new Agent({ connections, pipelining: 1 });
  const times: number[] = [];
  let left = requests;
  const started = performance.now();
  const sender = async () => {
    while (left > 0) {
      left -= 1;
      const sent = performance.now();
      const answer = await agent.request(request);
      await answer.body.dump();
      if (answer.statusCode !== status) throw new Error(`A request was answered ${answer.statusCode}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  return { accepted: times.length, seconds, answer: percentiles(times) };
}
