import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { documentedSignature } from '@/server/triggers/webhooks/verification';
import { buildUser, buildWorkflow, call, type Answer, type Refused, type TestUser } from './factories';

export type Hook = WebhookTrigger & { secret: string };

/** A workflow with a webhook, and the owner of both. */
export interface TestHook {
  user: TestUser;
  workflowId: string;
  hook: Hook;
}

export async function buildHook(status = 'active'): Promise<TestHook> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status });
  return { user, workflowId, hook: (await register(user, workflowId, 'orders/new')).body };
}

export const register = (
  { token }: TestUser,
  workflowId: string,
  path: string,
  more: object = {},
): Promise<Answer<Hook & Refused>> =>
  call<Hook & Refused>('POST', `/api/workflows/${workflowId}/webhooks`, { token, body: { path, ...more } });

/** Calls the webhook as its sender would: signed, unless `headers` say otherwise. */
export function deliver(
  hook: Hook,
  raw: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer<{ executionId: string; status: string } & Refused>> {
  const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
  const signature = documentedSignature(hook.secret, bytes);
  return call('POST', new URL(hook.url).pathname, { raw, headers: { 'x-service-signature': signature, ...headers } });
}

/** A workflow with a webhook of these settings. */
export async function buildHookWith(settings: object): Promise<TestHook> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active' });
  return { user, workflowId, hook: await sendersHook({ user, workflowId }, settings) };
}

/** Another webhook of the workflow. */
export async function sendersHook({ user, workflowId }: Omit<TestHook, 'hook'>, settings: object): Promise<Hook> {
  const answer = await call<Hook & Refused>('POST', `/api/workflows/${workflowId}/webhooks`, {
    token: user.token,
    body: settings,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** The HMAC of a text. */
export const sign = (
  key: string | Uint8Array,
  text: string,
  algorithm = 'sha256',
  encoding: 'hex' | 'base64' = 'hex',
): string => createHmac(algorithm, key).update(text).digest(encoding);

interface Sent {
  method?: string;
  query?: string;
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  from?: string;
}

/** A request to the webhook as `given`, without a signature of ours. */
export const send = (
  hook: Hook,
  { method = 'POST', query = '', ...given }: Sent,
): Promise<Answer<{ executionId: string; status: string } & Refused>> =>
  call(method, new URL(hook.url).pathname + query, given);
