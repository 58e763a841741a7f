import { z } from 'zod';
import type { ReceivedRequest } from '@/server/api/operation/incoming';
import { publicAccess, type OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn, rawBody, readEffect } from '@/server/api/operation/operation-parts';
import { matchesEntityTag } from '@/server/api/operation/unchanged';
import { methodNotAllowedProblem, notFoundProblem, type ApiProblem } from '@/server/platform/errors/problem';
import { performOperation } from '@/server/api/pipeline/perform';
import type { OperationResponse } from '@/server/api/pipeline/steps/answer';
import { getRuntime } from '@/server/platform/runtime';
import { preflightResponse } from '@/server/api/operation/cors';

/** Answers one request. Never rejects because of the request: a refusal is a reply. */
export type RequestHandler = (arrival: ReceivedRequest) => Promise<OperationResponse>;

export const createOperationHandler =
  (operation: OperationRecord, params: Record<string, string> = {}): RequestHandler =>
  (arrival) => {
    const reply = performOperation(operation, { params, ...arrival });
    const isTagged = operation.method === 'GET' && jsonReplyIn(operation)?.headers !== undefined;
    return isTagged ? reply.then((full) => notModifiedResponse(arrival, full)) : reply;
  };

/** A read whose caller has the answer already: 304 without the body. */
function notModifiedResponse({ headers: asked }: ReceivedRequest, reply: OperationResponse): OperationResponse {
  const { status, headers } = reply;
  return status === 200 && headers.ETag !== undefined && matchesEntityTag(asked, headers.ETag)
    ? { status: 304, headers }
    : reply;
}

/** Refuses every request. The request is counted and answered like a call of an operation. */
export const createRefusalHandler = (problem: () => ApiProblem): RequestHandler =>
  createOperationHandler(createRefusalOperation(problem));

export const handleNotFound = createRefusalHandler(() => notFoundProblem('This address'));

/** For a path that has operations, but none with this method; answers a CORS preflight. */
export const createOtherMethodHandler = (method: string, allowed: string[]): RequestHandler =>
  createOperationHandler({
    ...createRefusalOperation(() => methodNotAllowedProblem(allowed)),
    run: async (call) => {
      const answer = method === 'OPTIONS' && preflightResponse(call.headers, getRuntime().env.corsOrigins);
      if (!answer) throw methodNotAllowedProblem(allowed);
      return answer;
    },
  });

/** A pseudo operation outside the table, so that its requests are counted and answered like calls. */
function createRefusalOperation(problem: () => ApiProblem): OperationRecord {
  return {
    id: 'unknown',
    method: 'GET',
    path: '',
    summary: '',
    tag: '',
    access: publicAccess(),
    effect: readEffect(),
    body: rawBody(),
    query: z.looseObject({}),
    run: async () => {
      throw problem();
    },
  };
}
