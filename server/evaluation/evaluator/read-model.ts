import type { ModelReply } from '@/server/evaluation/model-libraries/call-model';
import { getRuntime } from '@/server/platform/runtime';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { fileWorkLimits, evaluatorPool, type EvaluationContext } from './evaluation';
import type { ModelReplyReading } from './jobs';

/** CPU time in milliseconds: 5 seconds, unless expressions have another limit than usual. */
const modelReplyCpuMs = () => getRuntime().env.evaluationCpuMs * 20;

/** Reads an answer of a model in an evaluator process. Throws NodeFailure. */
export async function readModelResponse(
  body: Buffer,
  reading: ModelReplyReading,
  { workspaceId, signal }: EvaluationContext,
): Promise<ModelReply> {
  const job = { kind: 'read-model', limits: fileWorkLimits(modelReplyCpuMs()), reading } as const;
  const result = await evaluatorPool().run(workspaceId, job, [body], signal);
  if (result.ok) return JSON.parse(result.message.texts[0]?.toString() ?? 'null') as ModelReply;
  const { code, message } = result.failure;
  if (code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY') throw new NodeFailure(code, message);
  throw new NodeFailure('MODEL_ANSWER', message);
}
