import type { ModelReply } from '@/server/model-libraries/ask';
import { runtime } from '@/server/runtime';
import { NodeFailure } from '@/server/errors/node-failure';
import { contentLimits, pool, type Purpose } from './evaluation';
import type { ModelReading } from './jobs';

/** CPU time in milliseconds: 5 seconds, unless expressions have another limit than usual. */
const cpuMs = () => runtime().env.evaluationCpuMs * 20;

/** Reads an answer of a model in an evaluator process. Throws NodeFailure. */
export async function readModel(
  body: Buffer,
  reading: ModelReading,
  { workspaceId, signal }: Purpose,
): Promise<ModelReply> {
  const job = { kind: 'read-model', limits: contentLimits(cpuMs()), reading } as const;
  const result = await pool().run(workspaceId, job, [body], signal);
  if (result.ok) return JSON.parse(result.answer.texts[0]?.toString() ?? 'null') as ModelReply;
  const { code, message } = result.failure;
  if (code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY') throw new NodeFailure(code, message);
  throw new NodeFailure('MODEL_ANSWER', message);
}
