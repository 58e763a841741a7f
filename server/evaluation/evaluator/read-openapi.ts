import type { DocumentRejection, CompiledDocument, DocumentReadOptions } from '@/server/evaluation/openapi/record';
import { getRuntime } from '@/server/platform/runtime';
import { fileWorkLimits, EvaluationFailedError, evaluatorPool, type EvaluationContext } from './evaluation';

/** CPU time in milliseconds: 10 seconds, unless expressions have another limit than usual. */
const openApiCpuMs = () => getRuntime().env.evaluationCpuMs * 40;

/** Limits of the evaluation of a document, as a fault of it. */
const OPENAPI_LIMIT_MESSAGES: Readonly<Record<string, string>> = {
  EVALUATION_TIMEOUT: 'takes too long to read',
  EVALUATION_MEMORY: 'needs too much memory to read',
};

/** Reads an OpenAPI document in an evaluator process. Throws EvaluationFailed if that is not possible now. */
export async function readOpenApiInEvaluator(
  text: string,
  reading: DocumentReadOptions,
  { workspaceId, signal }: EvaluationContext,
): Promise<CompiledDocument | { fault: DocumentRejection }> {
  const job = { kind: 'read-openapi', limits: fileWorkLimits(openApiCpuMs()), reading } as const;
  const result = await evaluatorPool().run(workspaceId, job, [text], signal);
  if (result.ok)
    return JSON.parse(result.message.texts[0]?.toString() ?? 'null') as CompiledDocument | { fault: DocumentRejection };
  const message = OPENAPI_LIMIT_MESSAGES[result.failure.code];
  if (message === undefined) throw new EvaluationFailedError(result.failure);
  return { fault: { field: 'openapi', message } };
}
