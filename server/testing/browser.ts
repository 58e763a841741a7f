import { routeWebRequest } from '@/server/api/http/routes';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { getRuntime } from '@/server/platform/runtime';

/** A browser: keeps cookies, follows nothing. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async go(
    method: string,
    url: string,
    {
      form,
      headers = {},
    }: { form?: Record<string, string> | [string, string][]; headers?: Record<string, string> } = {},
  ) {
    const target = new URL(url, getRuntime().env.apiBaseUrl);
    const all = new Headers({ [PEER_ADDRESS_HEADER]: '192.0.2.7', ...headers });
    all.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    if (form) all.set('content-type', 'application/x-www-form-urlencoded');
    const body = form && new URLSearchParams(form).toString();
    const answer = await routeWebRequest(new Request(target, { method, headers: all, body }));
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : undefined;
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      headers: answer.headers,
      text,
      json,
    };
  }
}
