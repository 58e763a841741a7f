import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The result of `work`; rejects when it takes longer. */
export async function withinTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = new NodeFailure('CONNECTION_FAILED', `The server did not answer within ${timeoutMs} ms.`);
    timer = setTimeout(() => reject(failure), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
