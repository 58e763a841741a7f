import type { CallHeaders } from '../api/call-headers';

/** The value of a cookie that came with a request. */
export function cookieNamed(headers: CallHeaders, name: string): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
