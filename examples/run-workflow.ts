// Signs in, creates a workflow, runs it by a call and by a signed webhook: npx tsx examples/run-workflow.ts
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const { WEFT_URL = 'http://localhost:8080', WEFT_EMAIL = '', WEFT_PASSWORD = '' } = process.env;

async function call<Answer>(method: string, path: string, token?: string, body?: unknown): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${WEFT_URL}${path}`, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

interface Execution {
  status: string;
  output?: unknown;
  error: { message: string } | null;
}

async function finished(token: string, executionId: string): Promise<Execution> {
  for (;;) {
    const execution = await call<Execution>('GET', `/api/executions/${executionId}`, token);
    if (execution.status === 'completed' || execution.status === 'failed') return execution;
    await pause(200);
  }
}

const { accessToken } = await call<{ accessToken: string }>('POST', '/api/auth/login', undefined, {
  email: WEFT_EMAIL,
  password: WEFT_PASSWORD,
});
const workflow = await call<{ id: string }>('POST', '/api/workflows', accessToken, {
  name: 'Order total',
  definition: {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
      {
        id: 'total',
        type: 'transform',
        position: { x: 240, y: 0 },
        config: { expression: '{ "total": $sum(input.items.price) }' },
      },
    ],
    connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'total', targetPort: 'input' }],
  },
});

const input = { items: [{ price: 12 }, { price: 30 }] };
const run = await call<{ executionId: string }>('POST', `/api/workflows/${workflow.id}/execute`, accessToken, {
  input,
});
process.stdout.write(`By call: ${JSON.stringify((await finished(accessToken, run.executionId)).output)}\n`);

// A webhook's caller needs no account: it signs the exact bytes that it sends.
const webhook = await call<{ url: string; secret: string }>(
  'POST',
  `/api/workflows/${workflow.id}/webhooks`,
  accessToken,
  { path: 'orders' },
);
const body = JSON.stringify(input);
const signature = `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}`;
const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': signature };
const accepted = await fetch(`${WEFT_URL}${new URL(webhook.url).pathname}`, { method: 'POST', headers, body });
const { executionId } = (await accepted.json()) as { executionId: string };
process.stdout.write(`By webhook: ${JSON.stringify((await finished(accessToken, executionId)).output)}\n`);
