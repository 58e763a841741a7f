import type { NextApiRequest, NextApiResponse } from 'next';
import { z } from 'zod';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import { parseSingleFields } from '@/server/api/operation/form';
import { readJsonOrProblem } from '@/server/api/operation/json';
import { publicAccess, type OperationCall, type OperationRecord } from '@/server/api/operation/operation';
import { rawBody, readEffect } from '@/server/api/operation/operation-parts';
import {
  forbiddenProblem,
  invalidRequestProblem,
  invalidFieldProblem,
  type ApiProblem,
} from '@/server/platform/errors/problem';
import { handleNotFound, createOperationHandler, type RequestHandler } from './handlers';
import { toApiProblem } from '@/server/api/pipeline/steps/answer';
import { browserAuthOptions } from '@/server/people/auth/browser-login';
import { isSameOriginRequest } from '@/server/people/auth/browser-session';
import { parseCookies } from '@/server/people/auth/cookies';
import { unwrapDefaultExport } from '@/server/people/auth/default-export';
import { buildDeviceCookie } from '@/server/people/auth/device';

const NEXT_AUTH_PATH = '/api/auth/';

/** The addresses of next-auth that browsers need; other addresses of next-auth are answered as unknown. */
const OFFERED_ACTIONS: Record<'GET' | 'POST', string[]> = {
  GET: ['providers', 'csrf', 'session', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signout', '_log'],
};

/**
 * The addresses of next-auth, which keeps browsers signed in. Bodies are handled as for all requests: counted against
 * the address first, read up to the limit, and refused in the documented format.
 */
export const handleBrowserAuth: RequestHandler = (arrival) => {
  const method = arrival.method === 'HEAD' ? 'GET' : arrival.method;
  const action = arrival.path.slice(NEXT_AUTH_PATH.length);
  const isOffered = (method === 'GET' || method === 'POST') && OFFERED_ACTIONS[method].includes(action);
  return (isOffered ? createOperationHandler(createLoginOperation(method, action, arrival)) : handleNotFound)(arrival);
};

/** A pseudo operation outside the table, so that requests are counted, read and answered like calls. */
const createLoginOperation = (method: 'GET' | 'POST', action: string, { query }: ReceivedRequest): OperationRecord => ({
  id: 'browser.login',
  method,
  path: `${NEXT_AUTH_PATH}${action}`,
  summary: '',
  tag: '',
  access: publicAccess(),
  effect: readEffect(),
  body: rawBody(),
  query: z.looseObject({}),
  run: async (call) => callNextAuth({ method, action, query: Object.fromEntries(query) }, call),
});

interface NextAuthRequest {
  method: 'GET' | 'POST';
  action: string;
  query: Partial<Record<string, string>>;
}

/** Whether next-auth can read an address to continue at. It fails at others, and writes them to the log. */
function isContinueUrl(url: string): boolean {
  const base = url.startsWith('/') ? getRuntime().env.apiBaseUrl : undefined;
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}

/** The cookies without an address to continue at that next-auth did not set. */
const cookiesForNextAuth = ({ headers }: OperationCall): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseCookies(headers)).filter(
      ([name, value]) => !name.endsWith('callback-url') || isContinueUrl(value),
    ),
  );

async function callNextAuth({ method, action, query }: NextAuthRequest, call: OperationCall): Promise<Response> {
  // next-auth compares two cookies, which a page of another subdomain can set.
  if (!isSameOriginRequest(call.headers, method))
    throw forbiddenProblem('The request comes from a page of another origin.');
  const body = method === 'POST' ? await readLoginFields(call) : undefined;
  for (const { callbackUrl } of [query, body ?? {}]) {
    if (callbackUrl && !isContinueUrl(callbackUrl))
      throw invalidFieldProblem('callbackUrl', 'must be a web address or a path');
  }
  let signedIn: string | undefined;
  let refusal: unknown;
  const options = browserAuthOptions(call, {
    signedIn: (email) => (signedIn = email),
    onRefusal: (error) => {
      refusal = error;
      return toApiProblem(error, call.requestId);
    },
  });
  const nextRequest = {
    method,
    body,
    query: { ...query, nextauth: action.split('/') },
    cookies: cookiesForNextAuth(call),
    headers: addressHeaders(call),
  };
  // Loaded on demand, because it brings clients for every kind of sign-in.
  const nextAuth = unwrapDefaultExport((await import('next-auth')).default);
  const answer = new NextAuthResponse();
  await nextAuth(nextRequest as unknown as NextApiRequest, answer as unknown as NextApiResponse, options);
  if (signedIn !== undefined) answer.headers.append('Set-Cookie', buildDeviceCookie(signedIn, call.headers));
  return toLoginResponse(answer, refusal, call);
}

/** next-auth reads these to find its own address. */
const addressHeaders = ({ headers }: OperationCall): Record<string, string> =>
  Object.fromEntries(
    ['host', 'x-forwarded-host', 'x-forwarded-proto'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** The forms of next-auth have a handful of fields. */
const LOGIN_FORM_LIMITS = { values: 1000, fields: 100 };

const loginFieldsSchema = z.record(z.string(), z.string());

/** A form, or the same fields as JSON. */
async function readLoginFields(call: OperationCall): Promise<Partial<Record<string, string>>> {
  if (call.rawBody.length === 0) return {};
  if (!/^application\/json\b/i.test(call.headers.get('content-type') ?? '')) return parseSingleFields(call);
  const fields = loginFieldsSchema.safeParse(await readJsonOrProblem(call.rawBody, LOGIN_FORM_LIMITS));
  if (fields.data) return fields.data;
  const [field] = fields.error.issues.map(({ path }) => String(path[0] ?? ''));
  throw field
    ? invalidFieldProblem(field, 'must be a string')
    : invalidRequestProblem([], 'The body must be an object.');
}

/** The part of Next's response that next-auth uses. */
class NextAuthResponse {
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
 * next-auth returns an address to continue at, also when it refuses. Programs get the documented error together with
 * it; a browser that posted a plain form is redirected.
 */
function toLoginResponse(
  { headers, statusCode, text, value }: NextAuthResponse,
  refusal: unknown,
  call: OperationCall,
): Response {
  const url = (value as { url?: unknown } | undefined)?.url;
  const problem = findLoginRefusal(statusCode, String(url ?? headers.get('location') ?? ''), refusal, call);
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

function findLoginRefusal(
  statusCode: number,
  onward: string,
  refusal: unknown,
  { requestId }: OperationCall,
): ApiProblem | null {
  if (refusal !== undefined) {
    const problem = toApiProblem(refusal, requestId);
    if (problem.code === 'INTERNAL_ERROR') serviceLog().error({ err: problem.cause, requestId }, 'a sign-in failed');
    return problem;
  }
  if (/[?&]csrf=true/.test(onward))
    return forbiddenProblem('The CSRF token is missing or wrong. GET /api/auth/csrf gives one.');
  if (statusCode < 400) return null;
  return statusCode < 500
    ? invalidRequestProblem([])
    : toApiProblem(new Error(`next-auth answered ${statusCode}`), requestId);
}
