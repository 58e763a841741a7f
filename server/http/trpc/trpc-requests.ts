import { Readable } from 'node:stream';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { MAX_CALLS } from '@/contract/batch';
import type { Arrival } from '@/server/api/incoming';
import { checkContentType, MAX_VALUES, parseJson, readJson } from '@/server/api/json';
import type { Operation } from '@/server/api/operation';
import { answering, countAll } from '@/server/pipeline/perform';
import { invalid, methodNotAllowed, notFound, Problem } from '@/server/errors/problem';
import { refusalHandler, type Handler } from '../handlers';
import type { Reply } from '@/server/pipeline/steps/answer';
import { DEFAULT_MAX_BODY } from '@/server/pipeline/steps/parse';
import { jsonOf } from '@/server/expressions/large-json';
import { isSmallJson, writeJsonInTurns } from '@/server/expressions/write-json';
import { appRouter, operationNamed } from './trpc';

const ENDPOINT = '/api/trpc';

/** The procedures of a request: all of them reads or all of them changes. */
interface ProcedureRequest {
  operations: Operation[];
  isBatch: boolean;
  isRead: boolean;
}

/**
 * The tRPC addresses. The address determines the procedures; they are counted, and only then the body is read: every refusal up to that
 * point has the documented error as its body. A procedure that fails answers like tRPC, with the documented error as `error.data.problem`.
 */
export const trpcHandler: Handler = async (arrival) => {
  let request: ProcedureRequest;
  try {
    request = askedBy(arrival);
  } catch (error) {
    if (error instanceof Problem) return refusalHandler(() => error)(arrival);
    throw error;
  }
  return answering('trpc', arrival.requestId, (headers) => callAll(request, arrival, headers));
};

function askedBy({ method, path, query }: Arrival): ProcedureRequest {
  const isBatch = query.get('batch') === '1';
  const procedureNames = decoded(path.slice(ENDPOINT.length + 1));
  const names = isBatch ? procedureNames.split(',') : [procedureNames];
  if (names.length > MAX_CALLS) throw invalid([], `A batch has at most ${MAX_CALLS} calls.`);
  const operations = names.map((name) => {
    const operation = operationNamed(name);
    if (!operation) throw notFound('The procedure');
    return operation;
  });
  const isRead = operations.every((operation) => operation.method === 'GET');
  const isChange = operations.every((operation) => operation.method !== 'GET');
  if (!isRead && !isChange) throw invalid([], 'A batch contains either reads or changes, not both.');
  const fitting = isRead ? ['GET', 'HEAD'] : ['POST'];
  if (!fitting.includes(method)) throw methodNotAllowed(isRead ? ['GET'] : ['POST']);
  return { operations, isBatch, isRead };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound('The procedure');
  }
}

async function callAll(
  { operations, isBatch, isRead }: ProcedureRequest,
  arrival: Arrival,
  headers: Record<string, string>,
): Promise<Reply> {
  const url = new URL(`http://service${ENDPOINT}/${operations.map(({ id }) => id).join(',')}`);
  if (isBatch) url.searchParams.set('batch', '1');
  let request: Request;
  if (isRead) {
    // Each call is counted when it runs: a read has no body to be read before.
    const input = arrival.query.get('input');
    if (input !== null) url.searchParams.set('input', JSON.stringify(parseJson(Buffer.from(input))));
    request = new Request(url);
  } else {
    await countAll(operations, arrival, headers);
    request = await changeRequest(url, operations, arrival);
  }
  const rateLimitHeaders = isRead ? undefined : { ...headers };
  const bodies: unknown[] = [];
  const answer = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: request,
    router: appRouter,
    createContext: ({ resHeaders }) => ({ arrival, answerHeaders: resHeaders, bodies, rateLimitHeaders }),
  });
  const raw = await withBodies(answer, bodies);
  return { status: raw.status, headers: {}, raw };
}

/** One answer as the library writes it. */
interface ProcedureAnswer {
  result?: { data?: unknown };
}

/** The answer of the library with the bodies in their places, which are written in turns. */
async function withBodies(answer: Response, bodies: readonly unknown[]): Promise<Response> {
  const written = (await answer.json()) as ProcedureAnswer | ProcedureAnswer[];
  for (const { result } of Array.isArray(written) ? written : [written])
    if (result) result.data = bodies[Number(result.data)];
  const { status, headers } = answer;
  if (isSmallJson(written)) return new Response(jsonOf(written), { status, headers });
  const stream = Readable.from(writeJsonInTurns(written), { objectMode: false });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers });
}

/** The request as the library reads it. The body must be JSON: any page could post a form. It is parsed here, in pieces. */
async function changeRequest(url: URL, operations: Operation[], arrival: Arrival): Promise<Request> {
  checkContentType(arrival.headers);
  const most = (limits: number[]) => Math.max(...limits);
  const bytes = await arrival.readBody(most(operations.map(({ body }) => body?.maxBytes ?? DEFAULT_MAX_BODY)));
  const values = most(operations.map(({ body }) => (body?.kind === 'json' ? body.maxValues : undefined) ?? MAX_VALUES));
  // A missing body means no input, which tRPC would refuse.
  const body = bytes.length > 0 ? await readJson(bytes, { values }) : {};
  const request = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  return Object.assign(request, { json: async () => body });
}
