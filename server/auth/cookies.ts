import type { CallHeaders } from '@/server/client-address';

/** The cookies of a request, names and values undecoded. */
const pairsOf = (headers: CallHeaders): string[][] =>
  (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('=', 2));

/** The value of one cookie of a request. */
export const cookieNamed = (headers: CallHeaders, name: string): string | undefined =>
  pairsOf(headers).find(([key]) => key === name)?.[1];

/** All cookies of a request with decoded values. Of two with the same name the first counts. */
export function cookiesOf(headers: CallHeaders): Record<string, string> {
  const cookies = new Map<string, string>();
  for (const [name = '', value = ''] of pairsOf(headers)) if (!cookies.has(name)) cookies.set(name, decoded(value));
  return Object.fromEntries(cookies);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
