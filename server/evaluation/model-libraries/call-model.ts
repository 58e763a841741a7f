import type { LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider';
import { collectStreamedReply, type ModelFinish } from './collect';
import { findModelProvider, type ModelFetch, type ModelAccess } from './providers';

/** One call of a model by the library of its provider. */
export interface ModelRequest {
  access: ModelAccess;
  model: string;
  options: LanguageModelV3CallOptions;
  /** The answer is read while it arrives. */
  isStreamed: boolean;
}

export type ModelReply = ModelFinish & { content: LanguageModelV3Content[] };

/**
 * Asks a model by `fetch`. `onText`: see `collectStreamedReply`. Throws what the library throws, and NodeFailure
 * MODEL_ANSWER.
 */
export async function callModelLibrary(
  { access, model: id, options, isStreamed }: ModelRequest,
  fetch: ModelFetch,
  onText: (text: string) => void = () => undefined,
): Promise<ModelReply> {
  const model = await findModelProvider(access).open(id, access, fetch);
  if (isStreamed) return collectStreamedReply((await model.doStream(options)).stream, onText);
  const { content, finishReason, usage } = await model.doGenerate(options);
  return { content, finishReason, usage };
}
