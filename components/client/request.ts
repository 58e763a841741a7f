import type { ErrorBody, ErrorCode } from '@/contract/error';
import { workspaceHeader } from './workspace';

/** An answer that is a refusal. */
export class RequestRefused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}

/** Calls the service outside of tRPC. Throws RequestRefused with the service's own message, and TypeError without an answer. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the rule is about servers; a browser reaches its own service by this
  const response = await fetch(path, { ...init, headers: { ...workspaceHeader(), ...init.headers } });
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const [detail] = body?.error.details ?? [];
  const message = detail?.message ?? body?.error.message ?? `The service answered ${response.status}.`;
  throw new RequestRefused(message, response.status, body?.error.code);
}
