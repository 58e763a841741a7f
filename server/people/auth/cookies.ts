import type { CallHeaders } from '@/server/platform/messages/client-address';

/** The cookies of a request, names and values undecoded. */
const rawCookiePairs = (headers: CallHeaders): string[][] =>
  (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('=', 2));

/** The value of one cookie of a request. */
export const findCookie = (headers: CallHeaders, name: string): string | undefined =>
  rawCookiePairs(headers).find(([key]) => key === name)?.[1];

/** All cookies of a request with decoded values. Of two with the same name the first counts. */
export function parseCookies(headers: CallHeaders): Record<string, string> {
  const cookies = new Map<string, string>();
  for (const [name = '', value = ''] of rawCookiePairs(headers))
    if (!cookies.has(name)) cookies.set(name, decodeCookieValue(value));
  return Object.fromEntries(cookies);
}

function decodeCookieValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
