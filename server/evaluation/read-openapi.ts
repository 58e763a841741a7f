import type { Fault, ReadDocument, Reading } from '@/server/openapi/record';
import { runtime } from '@/server/runtime';
import { contentLimits, EvaluationFailed, pool, type Purpose } from './evaluation';

/** CPU time in milliseconds: 10 seconds, unless expressions have another limit than usual. */
const cpuMs = () => runtime().env.evaluationCpuMs * 40;

/** Limits of the evaluation of a document, as a fault of it. */
const LIMITS: Readonly<Record<string, string>> = {
  EVALUATION_TIMEOUT: 'takes too long to read',
  EVALUATION_MEMORY: 'needs too much memory to read',
};

/** Reads an OpenAPI document in an evaluator process. Throws EvaluationFailed if that is not possible now. */
export async function readOpenApi(
  text: string,
  reading: Reading,
  { workspaceId, signal }: Purpose,
): Promise<ReadDocument | { fault: Fault }> {
  const job = { kind: 'read-openapi', limits: contentLimits(cpuMs()), reading } as const;
  const result = await pool().run(workspaceId, job, [text], signal);
  if (result.ok) return JSON.parse(result.answer.texts[0]?.toString() ?? 'null') as ReadDocument | { fault: Fault };
  const message = LIMITS[result.failure.code];
  if (message === undefined) throw new EvaluationFailed(result.failure);
  return { fault: { field: 'openapi', message } };
}
