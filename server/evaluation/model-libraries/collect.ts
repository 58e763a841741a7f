import type { LanguageModelV3Content, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { ReasoningSplitter } from './reasoning-splitter';

export type ModelFinish = Pick<Extract<LanguageModelV3StreamPart, { type: 'finish' }>, 'usage' | 'finishReason'>;
type WrittenPart = Extract<LanguageModelV3Content, { type: 'text' | 'reasoning' }>;

/**
 * Reads a streamed answer to its end: the same parts as an answer that arrives as a whole. `onText` is called with all
 * text so far, without what the model thinks aloud, each time there is more. Throws what the stream fails with, and
 * NodeFailure MODEL_ANSWER.
 */
export async function collectStreamedReply(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  onText: (text: string) => void,
): Promise<ModelFinish & { content: LanguageModelV3Content[] }> {
  const content: LanguageModelV3Content[] = [];
  const open = new Map<string, WrittenPart>();
  const splitter = new ReasoningSplitter();
  let shown = 0;
  let finish: ModelFinish | undefined;
  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const written: WrittenPart = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' };
        open.set(part.id, written);
        content.push(written);
        setPartMetadata(written, part);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
        appendPartText(open.get(part.id), part.delta);
        setPartMetadata(open.get(part.id), part);
        if (part.type === 'text-delta') {
          splitter.push(part.delta);
          // Text that turns out to be a thought is not taken back.
          const { text } = splitter;
          if (text.length > shown) onText(text);
          shown = Math.max(shown, text.length);
        }
        break;
      case 'text-end':
      case 'reasoning-end':
        setPartMetadata(open.get(part.id), part);
        break;
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'source':
        content.push(part);
        break;
      case 'finish':
        finish = part;
        break;
      case 'error':
        throw toStreamError(part.error);
    }
  }
  if (!finish) throw new NodeFailure('MODEL_ANSWER', 'The answer of the model ended early.');
  return { content, usage: finish.usage, finishReason: finish.finishReason };
}

function appendPartText(written: WrittenPart | undefined, delta: string): void {
  if (written) written.text += delta;
}

/** The provider's own data of a part, which the next prompt needs, may come with any of its events. */
function setPartMetadata(
  written: WrittenPart | undefined,
  { providerMetadata }: Pick<WrittenPart, 'providerMetadata'>,
): void {
  if (written && providerMetadata) written.providerMetadata = providerMetadata;
}

/** Providers report failures within a stream as objects of their own. */
function toStreamError(error: unknown): Error {
  if (error instanceof Error) return error;
  const { message } = (typeof error === 'object' && error ? error : {}) as { message?: unknown };
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : 'no reason was given';
  return new NodeFailure('MODEL_ANSWER', `The model stopped its answer: ${reason.slice(0, 500)}`);
}
