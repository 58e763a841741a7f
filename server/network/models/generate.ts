import { randomUUID } from 'node:crypto';
import type { LanguageModelV3Content, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { findKnownModel, withCost, type TokenUsage } from './catalogue';
import { toModelAccess, type ModelCredential } from './credential';
import { readModelResponse } from '@/server/evaluation/evaluator/read-model';
import { callModelLibrary } from '@/server/evaluation/model-libraries/call-model';
import { findModelProvider } from '@/server/evaluation/model-libraries/providers';
import { HeavyReplyError } from './heavy-reply';
import { splitReasoning } from '@/server/evaluation/model-libraries/reasoning-splitter';
import { createModelFetch, createStreamingFetch, type ModelCaller } from './transport';

export type ModelPrompt = LanguageModelV3Prompt;
export type ModelPromptMessage = LanguageModelV3Prompt[number];
export type ModelReplyPart = LanguageModelV3Content;
export type ModelTool = LanguageModelV3FunctionTool;
type ToolInputSchema = LanguageModelV3FunctionTool['inputSchema'];

/** One call of a model. */
export interface ModelCall extends Omit<ModelCaller, 'workspaceId'> {
  credential: ModelCredential;
  model: string;
  prompt: ModelPrompt;
  temperature?: number;
  maxTokens?: number;
  /** JSON Schema of the answer; absent: the answer is text. */
  schema?: Record<string, unknown>;
  tools?: ModelTool[];
  /**
   * Called with the text of the answer so far, as often as there is more, if the provider can stream. Secrets are not
   * redacted.
   */
  onText?: (text: string) => void;
}

export interface GeneratedReply {
  /** Its parts in order, as the provider's library reads them again in the next prompt. */
  content: ModelReplyPart[];
  text: string;
  /** The reasoning that the model shows. It is not part of `text`. */
  reasoning?: string;
  /** `stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`. */
  finishReason: string;
  usage: TokenUsage;
}

/**
 * Calls a model once. Retries are left to the node: a refusal is a NodeFailure that says whether one may help, and
 * when. Throws NodeFailure: HTTP_STATUS, CREDENTIAL_KIND, CREDENTIAL_REFUSED, MODEL_ANSWER, CONFIG and those of
 * `server/network/outbound`.
 */
export async function generateReply(call: ModelCall): Promise<GeneratedReply> {
  const { credential, signal, secrets, reserve, model: id, prompt, temperature, maxTokens, tools, onText } = call;
  const access = toModelAccess(credential);
  const provider = findModelProvider(access);
  const caller = { workspaceId: credential.workspaceId, signal, secrets, reserve };
  const isStreamed = onText !== undefined && provider.streams;
  // A strict schema without properties would allow the empty object alone.
  const isOpenObject = call.schema !== undefined && !('properties' in call.schema);
  const byWords = call.schema !== undefined && provider.objects === 'text';
  const options = {
    temperature,
    maxOutputTokens: maxTokens,
    responseFormat:
      call.schema && !byWords
        ? {
            type: 'json' as const,
            ...(isOpenObject ? {} : { schema: call.schema as ToolInputSchema, name: 'answer' }),
          }
        : undefined,
    tools,
    providerOptions: provider.options && { [access.provider]: provider.options },
  };
  const request = { access, model: id, isStreamed };
  const ask = () =>
    callModelLibrary(
      {
        ...request,
        options: {
          ...options,
          prompt: byWords || isOpenObject ? promptWithSchema(prompt, call.schema) : prompt,
          abortSignal: signal,
        },
      },
      (isStreamed ? createStreamingFetch : createModelFetch)(provider.name, caller),
      onText,
    );
  /** The library has not read an answer that is too heavy for the main thread. */
  const readElsewhere = async (error: unknown) => {
    const heavy = findCauseOfClass(error, HeavyReplyError);
    if (!heavy) throw error;
    const { apiKey: _, ...place } = access;
    const reading = { ...request, access: place, options, type: heavy.type };
    return readModelResponse(await heavy.body, reading, caller).catch((failure: NodeFailure) => {
      throw failure.code === 'MODEL_ANSWER' ? unreadableReplyFailure(failure, provider.name, secrets) : failure;
    });
  };
  try {
    const answer = await ask().catch(readElsewhere);
    const { finishReason, usage } = answer;
    const { content, reasoning } = separateReasoning(withUniqueCallIds(answer.content));
    const { cacheRead } = usage.inputTokens;
    return {
      content,
      text: replyText(content),
      ...(reasoning === '' ? {} : { reasoning }),
      finishReason: finishReason.unified,
      usage: withCost(
        {
          inputTokens: usage.inputTokens.total ?? 0,
          ...(cacheRead ? { cachedInputTokens: cacheRead } : {}),
          outputTokens: usage.outputTokens.total ?? 0,
        },
        findKnownModel(access.provider, id),
      ),
    };
  } catch (error) {
    throw toModelFailure(error, provider.name, secrets);
  }
}

/** Whether the cost of calls is known. Throws NodeFailure CREDENTIAL_KIND. */
export function isPriceKnown(credential: ModelCredential, model: string): boolean {
  const { provider } = toModelAccess(credential);
  return withCost({ inputTokens: 0, outputTokens: 0 }, findKnownModel(provider, model)).costUsd !== undefined;
}

/** Calls with ids of their own: some servers send empty ones, or the same for all calls of an answer. */
function withUniqueCallIds(content: ModelReplyPart[]): ModelReplyPart[] {
  const known = new Set<string>();
  return content.map((part, position) => {
    if (part.type !== 'tool-call') return part;
    const isNew = part.toolCallId !== '' && !known.has(part.toolCallId);
    const toolCallId = isNew ? part.toolCallId : `call_${position}_${randomUUID()}`;
    known.add(toolCallId);
    return { ...part, toolCallId };
  });
}

/** The parts without what the model thought aloud in its text, and all that it thought. */
function separateReasoning(content: ModelReplyPart[]): { content: ModelReplyPart[]; reasoning: string } {
  const thoughts: string[] = [];
  const kept = content.map((part) => {
    if (part.type === 'reasoning') thoughts.push(part.text);
    if (part.type !== 'text') return part;
    const { text, reasoning } = splitReasoning(part.text);
    thoughts.push(reasoning);
    return { ...part, text };
  });
  return { content: kept, reasoning: thoughts.filter((thought) => thought !== '').join('\n\n') };
}

const replyText = (content: ModelReplyPart[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The prompt with the schema in words, for servers that may not know the parameter. */
function promptWithSchema(prompt: ModelPrompt, schema: object | undefined): ModelPrompt {
  const words = `Answer with one JSON object that matches this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
  const [first, ...others] = prompt;
  if (first?.role === 'system') return [{ ...first, content: `${first.content}\n\n${words}` }, ...others];
  return [{ role: 'system', content: words }, ...prompt];
}

/** The first error of a class among an error and its causes. */
function findCauseOfClass<Found extends Error>(
  error: unknown,
  kind: abstract new (...given: never[]) => Found,
): Found | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof kind) return at;
  return undefined;
}

/** Libraries put the whole answer into their errors. */
const MAX_EXAMINED_ERROR = 64 * 1024;
const MAX_MODEL_REASON_LENGTH = 1000;

function unreadableReplyFailure({ message }: Error, provider: string, secrets: ModelCaller['secrets']): NodeFailure {
  const reason = secrets.text(message.slice(0, MAX_EXAMINED_ERROR)).slice(0, MAX_MODEL_REASON_LENGTH).toWellFormed();
  return new NodeFailure('MODEL_ANSWER', `${provider} returned an answer that cannot be read: ${reason}`);
}

/** A failure of our own is thrown through the library, or is the cause of its error. */
function toModelFailure(error: unknown, provider: string, secrets: ModelCaller['secrets']): unknown {
  const own = findCauseOfClass(error, NodeFailure);
  if (own) return own;
  if (!(error instanceof Error)) return error;
  if (/^AI_(?:UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel)Error$/.test(error.name))
    return new NodeFailure('CONFIG', `${provider}: ${error.message}`, false);
  if (error.name.startsWith('AI_')) return unreadableReplyFailure(error, provider, secrets);
  return error;
}
