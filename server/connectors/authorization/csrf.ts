import { sendWithCredential, type CredentialHandle } from '../credential-handle';

/** The headers of changing calls to APIs that require a CSRF token: the token and its cookies. */
export async function fetchCsrfHeaders(
  credential: CredentialHandle,
  url: URL,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const headers = { 'X-CSRF-Token': 'Fetch', Accept: 'application/json' };
  const service = new URL(url);
  service.search = '';
  const answer = await sendWithCredential(credential, {
    url: service,
    method: 'HEAD',
    headers,
    signal,
    timeoutMs: null,
  });
  const token = answer.headers['x-csrf-token'];
  if (!token) return {};
  const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  return { 'X-CSRF-Token': token, Cookie: cookies.filter(Boolean).join('; ') };
}
