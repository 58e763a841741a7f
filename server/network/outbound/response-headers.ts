import type { Dispatcher } from 'undici';

/** Headers that are no lists. */
type SingleValueHeader =
  | 'authentication-info'
  | 'content-disposition'
  | 'content-encoding'
  | 'content-length'
  | 'content-type'
  | 'link'
  | 'location'
  | 'mcp-session-id'
  | 'retry-after'
  | 'www-authenticate'
  | 'x-csrf-token';

/**
 * The headers of a response. Names are in lower case. Repeated ones are joined by `, `; `set-cookie` is always a list,
 * because its values contain commas.
 */
export type ResponseHeaders = {
  [name: string]: string | string[];
} & Partial<Record<SingleValueHeader, string>> & { 'set-cookie'?: string[] };

export function toResponseHeaders(headers: Dispatcher.ResponseData['headers']): ResponseHeaders {
  const entries = Object.entries(headers).map(([name, value]) => {
    const values = [value ?? []].flat();
    return [name, name === 'set-cookie' ? values : values.join(', ')] as const;
  });
  return Object.fromEntries(entries) as ResponseHeaders;
}
