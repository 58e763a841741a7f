import { z } from 'zod';
import type { Arrival } from '@/server/api/incoming';
import { publicAccess, type Operation } from '@/server/api/operation';
import { jsonReplyIn, rawBody, readEffect } from '@/server/api/operation-parts';
import { isUnchanged } from '@/server/api/unchanged';
import { methodNotAllowed, notFound, type Problem } from '@/server/errors/problem';
import { perform } from '@/server/pipeline/perform';
import type { Reply } from '@/server/pipeline/steps/answer';
import { runtime } from '@/server/runtime';
import { preflightAnswer } from '@/server/api/cors';

/** Answers one request. Never rejects because of the request: a refusal is a reply. */
export type Handler = (arrival: Arrival) => Promise<Reply>;

export const operationHandler =
  (operation: Operation, params: Record<string, string> = {}): Handler =>
  (arrival) => {
    const reply = perform(operation, { params, ...arrival });
    const isTagged = operation.method === 'GET' && jsonReplyIn(operation)?.headers !== undefined;
    return isTagged ? reply.then((full) => answerUnchanged(arrival, full)) : reply;
  };

/** A read whose caller has the answer already: 304 without the body. */
function answerUnchanged({ headers: asked }: Arrival, reply: Reply): Reply {
  const { status, headers } = reply;
  return status === 200 && headers.ETag !== undefined && isUnchanged(asked, headers.ETag)
    ? { status: 304, headers }
    : reply;
}

/** Refuses every request. The request is counted and answered like a call of an operation. */
export const refusalHandler = (problem: () => Problem): Handler => operationHandler(refusalOperation(problem));

export const notFoundHandler = refusalHandler(() => notFound('This address'));

/** For a path that has operations, but none with this method; answers a CORS preflight. */
export const otherMethodHandler = (method: string, allowed: string[]): Handler =>
  operationHandler({
    ...refusalOperation(() => methodNotAllowed(allowed)),
    run: async (call) => {
      const answer = method === 'OPTIONS' && preflightAnswer(call.headers, runtime().env.corsOrigins);
      if (!answer) throw methodNotAllowed(allowed);
      return answer;
    },
  });

/** A pseudo operation outside the table, so that its requests are counted and answered like calls. */
function refusalOperation(problem: () => Problem): Operation {
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
