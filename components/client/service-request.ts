import type { ErrorResponse, ApiErrorCode } from '@/contract/error-response';
import { workspaceHeader } from './chosen-workspace';

/** A response with an error status. */
export class ServiceRefusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code?: ApiErrorCode,
  ) {
    super(message);
  }
}

/**
 * Calls the service outside of tRPC. Throws ServiceRefusal with the service's own message, and TypeError without a
 * response.
 */
export async function requestService(path: string, init: RequestInit = {}): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- the rule is about servers; a browser reaches its own service by this
  const response = await fetch(path, { ...init, headers: { ...workspaceHeader(), ...init.headers } });
  if (response.ok) return response;
  const body = (await response.json().catch(() => null)) as ErrorResponse | null;
  const [detail] = body?.error.details ?? [];
  const message = detail?.message ?? body?.error.message ?? `The service answered ${response.status}.`;
  throw new ServiceRefusal(message, response.status, body?.error.code);
}
