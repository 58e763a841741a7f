import type { NextApiRequest, NextApiResponse } from 'next';
import { z } from 'zod';
import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import type { Arrival } from '@/server/api/incoming';
import { readSingleFields } from '@/server/api/form';
import { readJson } from '@/server/api/json';
import { publicAccess, type Call, type Operation } from '@/server/api/operation';
import { rawBody, readEffect } from '@/server/api/operation-parts';
import { forbidden, invalid, invalidField, type Problem } from '@/server/errors/problem';
import { notFoundHandler, operationHandler, type Handler } from './handlers';
import { problemOf } from '@/server/pipeline/steps/answer';
import { browserLogin } from '@/server/auth/browser-login';
import { isFromThisOrigin } from '@/server/auth/browser-session';
import { cookiesOf } from '@/server/auth/cookies';
import { defaultOf } from '@/server/auth/default-export';
import { deviceCookie } from '@/server/auth/device';

const ADDRESS = '/api/auth/';

/** The addresses of next-auth that browsers need; other addresses of next-auth are answered as unknown. */
const OFFERED: Record<'GET' | 'POST', string[]> = {
  GET: ['providers', 'csrf', 'session', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signout', '_log'],
};

/**
 * The addresses of next-auth, which keeps browsers signed in. Bodies are handled as for all requests: counted against the address first,
 * read up to the limit, and refused in the documented format.
 */
export const browserHandler: Handler = (arrival) => {
  const method = arrival.method === 'HEAD' ? 'GET' : arrival.method;
  const action = arrival.path.slice(ADDRESS.length);
  const isOffered = (method === 'GET' || method === 'POST') && OFFERED[method].includes(action);
  return (isOffered ? operationHandler(operationFor(method, action, arrival)) : notFoundHandler)(arrival);
};

/** Not in the table of operations, but counted, read and answered like one. */
const operationFor = (method: 'GET' | 'POST', action: string, { query }: Arrival): Operation => ({
  id: 'browser.login',
  method,
  path: `${ADDRESS}${action}`,
  summary: '',
  tag: '',
  access: publicAccess(),
  effect: readEffect(),
  body: rawBody(),
  query: z.looseObject({}),
  run: async (call) => ask({ method, action, query: Object.fromEntries(query) }, call),
});

interface NextAuthRequest {
  method: 'GET' | 'POST';
  action: string;
  query: Partial<Record<string, string>>;
}

/** Whether next-auth can read an address to continue at. It fails at others, and writes them to the log. */
function isOnward(url: string): boolean {
  const base = url.startsWith('/') ? runtime().env.apiBaseUrl : undefined;
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}

/** The cookies without an address to continue at that next-auth did not set. */
const readableCookies = ({ headers }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(cookiesOf(headers)).filter(([name, value]) => !name.endsWith('callback-url') || isOnward(value)),
  );

async function ask({ method, action, query }: NextAuthRequest, call: Call): Promise<Response> {
  // next-auth compares two cookies, which a page of another subdomain can set.
  if (!isFromThisOrigin(call.headers, method)) throw forbidden('The request comes from a page of another origin.');
  const body = method === 'POST' ? await readFields(call) : undefined;
  for (const { callbackUrl } of [query, body ?? {}]) {
    if (callbackUrl && !isOnward(callbackUrl)) throw invalidField('callbackUrl', 'must be a web address or a path');
  }
  let signedIn: string | undefined;
  let refusal: unknown;
  const options = browserLogin(call, {
    signedIn: (email) => (signedIn = email),
    onRefusal: (error) => {
      refusal = error;
      return problemOf(error, call.requestId);
    },
  });
  const nextRequest = {
    method,
    body,
    query: { ...query, nextauth: action.split('/') },
    cookies: readableCookies(call),
    headers: headersFor(call),
  };
  // Loaded on demand, because it brings clients for every kind of sign-in.
  const nextAuth = defaultOf((await import('next-auth')).default);
  const answer = new Answer();
  await nextAuth(nextRequest as unknown as NextApiRequest, answer as unknown as NextApiResponse, options);
  if (signedIn !== undefined) answer.headers.append('Set-Cookie', deviceCookie(signedIn, call.headers));
  return responseOf(answer, refusal, call);
}

/** next-auth reads these to find its own address. */
const headersFor = ({ headers }: Call): Record<string, string> =>
  Object.fromEntries(
    ['host', 'x-forwarded-host', 'x-forwarded-proto'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** The forms of next-auth have a handful of fields. */
const FEW_FIELDS = { values: 1000, fields: 100 };

const Fields = z.record(z.string(), z.string());

/** A form, or the same fields as JSON. */
async function readFields(call: Call): Promise<Partial<Record<string, string>>> {
  if (call.rawBody.length === 0) return {};
  if (!/^application\/json\b/i.test(call.headers.get('content-type') ?? '')) return readSingleFields(call);
  const fields = Fields.safeParse(await readJson(call.rawBody, FEW_FIELDS));
  if (fields.data) return fields.data;
  const [field] = fields.error.issues.map(({ path }) => String(path[0] ?? ''));
  throw field ? invalidField(field, 'must be a string') : invalid([], 'The body must be an object.');
}

/** The part of Next's response that next-auth uses. */
class Answer {
  readonly headers = new Headers();
  statusCode = 200;
  text: string | null = null;
  value: unknown;

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  getHeader = (name: string): string[] | string | undefined =>
    name === 'Set-Cookie' ? this.headers.getSetCookie() : (this.headers.get(name) ?? undefined);

  setHeader(name: string, value: string | string[]): this {
    this.headers.delete(name);
    for (const one of [value].flat()) this.headers.append(name, one);
    return this;
  }

  json(value: unknown): void {
    this.headers.set('Content-Type', 'application/json');
    this.value = value;
    this.text = JSON.stringify(value);
  }

  send(value: unknown): void {
    if (typeof value === 'object' && value !== null) this.json(value);
    else this.text = typeof value === 'string' ? value : null;
  }

  end(): void {
    this.text = null;
  }
}

/**
 * next-auth returns an address to continue at, also when it refuses. Programs get the documented error together with it; a browser that
 * posted a plain form is redirected.
 */
function responseOf({ headers, statusCode, text, value }: Answer, refusal: unknown, call: Call): Response {
  const url = (value as { url?: unknown } | undefined)?.url;
  const problem = refusalIn(statusCode, String(url ?? headers.get('location') ?? ''), refusal, call);
  const isSentOn = statusCode === 302 && (call.headers.get('accept') ?? '').includes('text/html');
  if (!problem || isSentOn) return new Response(text, { status: statusCode, headers });
  headers.delete('Location');
  headers.set('Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(problem.headers)) headers.set(name, value);
  return new Response(JSON.stringify({ ...problem.body, ...(typeof url === 'string' ? { url } : {}) }), {
    status: problem.status,
    headers,
  });
}

function refusalIn(statusCode: number, onward: string, refusal: unknown, { requestId }: Call): Problem | null {
  if (refusal !== undefined) {
    const problem = problemOf(refusal, requestId);
    if (problem.code === 'INTERNAL_ERROR') log().error({ err: problem.cause, requestId }, 'a sign-in failed');
    return problem;
  }
  if (/[?&]csrf=true/.test(onward))
    return forbidden('The CSRF token is missing or wrong. GET /api/auth/csrf gives one.');
  if (statusCode < 400) return null;
  return statusCode < 500 ? invalid([]) : problemOf(new Error(`next-auth answered ${statusCode}`), requestId);
}
