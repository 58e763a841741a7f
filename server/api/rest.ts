import { operations } from '../operations';
import { runtime } from '../runtime';
import { preflightAnswer } from './cors';
import { arrivalOf, type Arrival } from './incoming';
import type { Method, Operation } from './operation';
import { paramsOf, router } from './path';
import { perform } from './perform';
import { notFound, Problem } from './problem';
import type { Reply } from './steps/answer';

/** A web-standard request handler, as Next's route files export it and `server/main.ts` mounts it. */
export type Handler = (request: Request) => Promise<Response>;

type Door = (arrival: Arrival) => Promise<Reply>;

const doorOf =
  (operation: Operation): Door =>
  (arrival) =>
    perform(operation, { params: paramsOf(operation.path, arrival.path) ?? {}, ...arrival });

const handlerOf =
  (door: Door): Handler =>
  async (request) =>
    responseOf(await door(arrivalOf(request)));

/** One operation's door. */
export const rest = (operation: Operation): Handler => handlerOf(doorOf(operation));

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
type AnyMethod = (typeof METHODS)[number];

const eachMethod = <Of>(of: (method: AnyMethod) => Of) =>
  Object.fromEntries(METHODS.map((method) => [method, of(method)])) as Record<AnyMethod, Of>;

/** Every method of one address, for its route file; those that it lacks answer 405. */
export function route(path: string): Record<AnyMethod, Handler> {
  const doors = doorsAt(path);
  return eachMethod((method) => handlerOf(doors[method]));
}

function doorsAt(path: string): Record<AnyMethod, Door> {
  const here = operations.filter((operation) => operation.path === path);
  if (here.length === 0) throw new Error(`No operation has the path ${path}`);
  const allowed = here.map(({ method }) => method);
  const wrongMethod = doorOf(refusing(() => methodNotAllowed(allowed)));
  const preflight = doorOf({
    ...refusing(() => methodNotAllowed(allowed)),
    run: async (call) => {
      const answer = preflightAnswer(call.headers, runtime().env.corsOrigins);
      if (!answer) throw methodNotAllowed(allowed);
      return answer;
    },
  });
  return eachMethod((method) => {
    const operation = here.find((candidate) => candidate.method === method);
    if (operation) return doorOf(operation);
    return method === 'OPTIONS' ? preflight : wrongMethod;
  });
}

const nothing = (): Operation => refusing(() => notFound('This address'));

/** Every method of the addresses where there is nothing. */
export const nowhere = (): Record<AnyMethod, Handler> => eachMethod(() => rest(nothing()));

/** The operations' address that a pathname belongs to, as the route files would choose it. */
export const addressAt = router(operations.map(({ path }) => path));
const known = new Map<string, Record<AnyMethod, Door>>();

/** What the door says that a call belongs to. A HEAD is a GET whose body the server keeps to itself. */
export function replyTo(arrival: Arrival): Promise<Reply> {
  const path = addressAt(arrival.path) ?? '';
  let doors = known.get(path);
  if (!doors) known.set(path, (doors = path ? doorsAt(path) : eachMethod(() => doorOf(nothing()))));
  const door: Door | undefined = doors[(arrival.method === 'HEAD' ? 'GET' : arrival.method) as AnyMethod];
  return (door ?? doors.PATCH)(arrival);
}

export const dispatch: Handler = handlerOf(replyTo);

/** A door behind which there is this and nothing else. */
export const refuser = (problem: () => Problem): Door => doorOf(refusing(problem));

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

export function responseOf(reply: Reply): Response {
  const { status, headers, raw } = reply;
  return raw ? withHeaders(raw, headers) : new Response(textOf(reply) ?? null, { status, headers: headersOf(reply) });
}

/** Its body as it is sent; undefined: none. */
export const textOf = ({ body }: Reply): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

export const headersOf = ({ headers, body }: Reply): Record<string, string> =>
  body === undefined ? headers : { 'Content-Type': 'application/json; charset=utf-8', ...headers };

function withHeaders(raw: Response, headers: Record<string, string>): Response {
  const all = new Headers(raw.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Response(raw.body, { status: raw.status, headers: all });
}
