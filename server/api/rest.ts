import { operations } from '../operations';
import { runtime } from '../runtime';
import { preflightAnswer } from './cors';
import { incomingOf } from './incoming';
import type { Method, Operation } from './operation';
import { paramsOf, router } from './path';
import { perform } from './perform';
import { notFound, Problem } from './problem';
import type { Reply } from './steps/answer';

/** A web-standard request handler, as Next's route files export it and `server/main.ts` mounts it. */
export type Handler = (request: Request) => Promise<Response>;

/** One operation's door. */
export const rest =
  (operation: Operation): Handler =>
  async (request) =>
    responseOf(
      await perform(operation, incomingOf(request, paramsOf(operation.path, new URL(request.url).pathname) ?? {})),
    );

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
type AnyMethod = (typeof METHODS)[number];

/** Every method of one address, for its route file; those that it lacks answer 405. */
export function route(path: string): Record<AnyMethod, Handler> {
  const here = operations.filter((operation) => operation.path === path);
  if (here.length === 0) throw new Error(`No operation has the path ${path}`);
  const allowed = here.map(({ method }) => method);
  const wrongMethod = refuser(() => methodNotAllowed(allowed));
  const preflight = rest({
    ...refusing(() => methodNotAllowed(allowed)),
    run: async (call) => {
      const answer = preflightAnswer(call.headers, runtime().env.corsOrigins);
      if (!answer) throw methodNotAllowed(allowed);
      return answer;
    },
  });
  const handlerOf = (method: AnyMethod) => {
    const operation = here.find((candidate) => candidate.method === method);
    if (operation) return rest(operation);
    return method === 'OPTIONS' ? preflight : wrongMethod;
  };
  return Object.fromEntries(METHODS.map((method) => [method, handlerOf(method)])) as Record<AnyMethod, Handler>;
}

/** Every method of the addresses where there is nothing. */
export const nowhere = (): Record<AnyMethod, Handler> => {
  const handler = refuser(() => notFound('This address'));
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<AnyMethod, Handler>;
};

/** The operations' address that a pathname belongs to, as the route files would choose it. */
export const addressAt = router(operations.map(({ path }) => path));
const doors = new Map<string, Record<AnyMethod, Handler>>();

/** The door that a request belongs to. A HEAD is a GET whose body the server keeps to itself. */
export function dispatch(request: Request): Promise<Response> {
  const path = addressAt(new URL(request.url).pathname) ?? '';
  let door = doors.get(path);
  if (!door) doors.set(path, (door = path ? route(path) : nowhere()));
  const handler: Handler | undefined = door[(request.method === 'HEAD' ? 'GET' : request.method) as AnyMethod];
  return (handler ?? door.PATCH)(request);
}

/** A door behind which there is this and nothing else. */
export const refuser = (problem: () => Problem): Handler => rest(refusing(problem));

export const methodNotAllowed = (allowed: Method[]) =>
  new Problem('NOT_FOUND', 'This address does not take that method.', [], {
    status: 405,
    headers: { Allow: allowed.join(', ') },
  });

/** Not in the table of operations, but counted and answered like one. */
const refusing = (problem: () => Problem): Operation => ({
  id: 'unknown',
  method: 'GET',
  path: '',
  summary: '',
  tag: '',
  access: 'public',
  effect: 'read',
  takesRawBody: true,
  run: async () => {
    throw problem();
  },
});

function responseOf({ status, headers, body, raw }: Reply): Response {
  if (raw) return withHeaders(raw, headers);
  if (body === undefined) return new Response(null, { status, headers });
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

function withHeaders(raw: Response, headers: Record<string, string>): Response {
  const all = new Headers(raw.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(raw.body, { status: raw.status, headers: all });
}
