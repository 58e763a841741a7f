import type { Webhook } from '@/contract/webhook';
import { signatureOf } from '../auth/signature';
import { buildUser, buildWorkflow, call, type Answer, type Refused, type TestUser } from './factories';

export type Hook = Webhook & { secret: string };

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

export const register = ({ token }: TestUser, workflowId: string, path: string): Promise<Answer<Hook & Refused>> =>
  call<Hook & Refused>('POST', `/api/workflows/${workflowId}/webhooks`, { token, body: { path } });

/** Calls the webhook as its sender would: signed, unless `headers` say otherwise. */
export function deliver(
  hook: Hook,
  raw: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answer<{ executionId: string; status: string } & Refused>> {
  const bytes = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
  const signature = signatureOf(hook.secret, bytes);
  return call('POST', new URL(hook.url).pathname, { raw, headers: { 'x-service-signature': signature, ...headers } });
}
