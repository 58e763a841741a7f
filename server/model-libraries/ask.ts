import type { LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider';
import { collect, type Finish } from './collect';
import { providerOf, type Fetch, type ModelAccess } from './providers';

/** One call of a model by the library of its provider. */
export interface ModelRequest {
  access: ModelAccess;
  model: string;
  options: LanguageModelV3CallOptions;
  /** The answer is read while it arrives. */
  isStreamed: boolean;
}

export type ModelReply = Finish & { content: LanguageModelV3Content[] };

/** Asks a model by `fetch`. `onText`: see `collect`. Throws what the library throws, and NodeFailure MODEL_ANSWER. */
export async function askModel(
  { access, model: id, options, isStreamed }: ModelRequest,
  fetch: Fetch,
  onText: (text: string) => void = () => undefined,
): Promise<ModelReply> {
  const model = await providerOf(access).open(id, access, fetch);
  if (isStreamed) return collect((await model.doStream(options)).stream, onText);
  const { content, finishReason, usage } = await model.doGenerate(options);
  return { content, finishReason, usage };
}
