import { Readable } from 'node:stream';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { MAX_BATCH_CALLS } from '@/contract/batch';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import {
  requireJsonContentType,
  MAX_JSON_VALUES,
  parseJsonOrProblem,
  readJsonOrProblem,
} from '@/server/api/operation/json';
import type { OperationRecord } from '@/server/api/operation/operation';
import { withResponseHeaders, countCalls } from '@/server/api/pipeline/perform';
import {
  invalidRequestProblem,
  methodNotAllowedProblem,
  notFoundProblem,
  ApiProblem,
} from '@/server/platform/errors/problem';
import { createRefusalHandler, type RequestHandler } from '../handlers';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { DEFAULT_MAX_BODY_BYTES } from '@/server/api/pipeline/steps/parse';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { isSmallJson, writeJsonInTurns } from '@/server/evaluation/expressions/write-json';
import { appRouter, findProcedureOperation } from './trpc';

const TRPC_PATH = '/api/trpc';

/** The procedures of a request: all of them reads or all of them changes. */
interface ProcedureRequest {
  operations: OperationRecord[];
  isBatch: boolean;
  isRead: boolean;
}

/**
 * The tRPC addresses. The address determines the procedures; they are counted, and only then the body is read: every
 * refusal up to that point has the documented error as its body. A procedure that fails answers like tRPC, with the
 * documented error as `error.data.problem`.
 */
export const handleTrpc: RequestHandler = async (arrival) => {
  let request: ProcedureRequest;
  try {
    request = readRequestedProcedures(arrival);
  } catch (error) {
    if (error instanceof ApiProblem) return createRefusalHandler(() => error)(arrival);
    throw error;
  }
  return withResponseHeaders('trpc', arrival.requestId, (headers) => callProcedures(request, arrival, headers));
};

function readRequestedProcedures({ method, path, query }: ReceivedRequest): ProcedureRequest {
  const isBatch = query.get('batch') === '1';
  const procedureNames = decodeProcedureNames(path.slice(TRPC_PATH.length + 1));
  const names = isBatch ? procedureNames.split(',') : [procedureNames];
  if (names.length > MAX_BATCH_CALLS) throw invalidRequestProblem([], `A batch has at most ${MAX_BATCH_CALLS} calls.`);
  const operations = names.map((name) => {
    const operation = findProcedureOperation(name);
    if (!operation) throw notFoundProblem('The procedure');
    return operation;
  });
  const isRead = operations.every((operation) => operation.method === 'GET');
  const isChange = operations.every((operation) => operation.method !== 'GET');
  if (!isRead && !isChange) throw invalidRequestProblem([], 'A batch contains either reads or changes, not both.');
  const fitting = isRead ? ['GET', 'HEAD'] : ['POST'];
  if (!fitting.includes(method)) throw methodNotAllowedProblem(isRead ? ['GET'] : ['POST']);
  return { operations, isBatch, isRead };
}

function decodeProcedureNames(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFoundProblem('The procedure');
  }
}

async function callProcedures(
  { operations, isBatch, isRead }: ProcedureRequest,
  arrival: ReceivedRequest,
  headers: Record<string, string>,
): Promise<OperationResponse> {
  const url = new URL(`http://service${TRPC_PATH}/${operations.map(({ id }) => id).join(',')}`);
  if (isBatch) url.searchParams.set('batch', '1');
  let request: Request;
  if (isRead) {
    // Each call is counted when it runs: a read has no body to be read before.
    const input = arrival.query.get('input');
    if (input !== null) url.searchParams.set('input', JSON.stringify(parseJsonOrProblem(Buffer.from(input))));
    request = new Request(url);
  } else {
    await countCalls(operations, arrival, headers);
    request = await createChangeRequest(url, operations, arrival);
  }
  const rateLimitHeaders = isRead ? undefined : { ...headers };
  const bodies: unknown[] = [];
  const answer = await fetchRequestHandler({
    endpoint: TRPC_PATH,
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
  if (isSmallJson(written)) return new Response(serializeJson(written), { status, headers });
  const stream = Readable.from(writeJsonInTurns(written), { objectMode: false });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers });
}

/**
 * The request as the library reads it. The body must be JSON: any page could post a form. It is parsed here, in pieces.
 */
async function createChangeRequest(
  url: URL,
  operations: OperationRecord[],
  arrival: ReceivedRequest,
): Promise<Request> {
  requireJsonContentType(arrival.headers);
  const most = (limits: number[]) => Math.max(...limits);
  const bytes = await arrival.readBody(most(operations.map(({ body }) => body?.maxBytes ?? DEFAULT_MAX_BODY_BYTES)));
  const values = most(
    operations.map(({ body }) => (body?.kind === 'json' ? body.maxValues : undefined) ?? MAX_JSON_VALUES),
  );
  // A missing body means no input, which tRPC would refuse.
  const body = bytes.length > 0 ? await readJsonOrProblem(bytes, { values }) : {};
  const request = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  return Object.assign(request, { json: async () => body });
}
