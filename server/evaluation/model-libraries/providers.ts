import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { LlmProvider } from '@/contract/llm';

/** Access to the models of one provider. */
export interface ModelAccess {
  provider: LlmProvider;
  /** Undefined: the provider's own address. */
  baseUrl: string | undefined;
  /** Empty: the server asks for none. */
  apiKey: string;
}

/** Sends the requests of a provider's library. */
export type ModelFetch = typeof globalThis.fetch;

/** A provider of language models: a library that speaks its protocol, and what the service needs besides. */
interface ModelProviderRecord {
  name: string;
  baseUrl(access: ModelAccess): string;
  /** The headers that carry the key. */
  keyHeaders(apiKey: string): Record<string, string>;
  /**
   * Opens a model. Libraries are loaded with the first call that needs them, and read no environment variable: all they
   * ask for is given.
   */
  open(model: string, access: ModelAccess, fetch: ModelFetch): Promise<LanguageModelV3>;
  /**
   * How an answer that is an object is asked for. `text`: only by words, because not every server knows the parameter.
   */
  objects: 'schema' | 'text';
  /**
   * Whether answers can be streamed. Servers that may not know the option for the usage of streamed answers cannot:
   * budgets need it.
   */
  streams: boolean;
  /** Options of its library. */
  options?: Record<string, string | boolean>;
}

const bearerHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };

/** Servers behind other hosts, such as gateways, know the older chat completions only. */
const hasResponsesApi = (baseUrl: string) => /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);

const OPENAI_BASE_URL = 'https://api.openai.com/v1';
const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1';
const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

/** A server with the API of OpenAI. */
async function openCompatibleModel(
  model: string,
  baseUrl: string,
  apiKey: string,
  fetch: ModelFetch,
  hasSchemas: boolean,
) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'compatible',
    baseURL: baseUrl,
    ...(apiKey === '' ? {} : { apiKey }),
    supportsStructuredOutputs: hasSchemas,
    includeUsage: true,
    fetch,
  });
  return provider.chatModel(model);
}

const openaiProvider: ModelProviderRecord = {
  name: 'OpenAI',
  baseUrl: ({ baseUrl = OPENAI_BASE_URL }) => baseUrl,
  keyHeaders: bearerHeaders,
  async open(model, access, fetch) {
    const baseURL = openaiProvider.baseUrl(access);
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ baseURL, apiKey: access.apiKey, fetch });
    return hasResponsesApi(baseURL) ? provider.responses(model) : provider.chat(model);
  },
  objects: 'schema',
  streams: true,
  // Answers are not kept at the provider. Strict schemas must list every property as required: ours need not.
  options: { store: false, strictJsonSchema: false },
};

const anthropicProvider: ModelProviderRecord = {
  name: 'Anthropic',
  baseUrl: ({ baseUrl = ANTHROPIC_BASE_URL }) => baseUrl,
  keyHeaders: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  async open(model, access, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: anthropicProvider.baseUrl(access), apiKey: access.apiKey, fetch })(model);
  },
  objects: 'schema',
  streams: true,
};

const googleProvider: ModelProviderRecord = {
  name: 'Google',
  baseUrl: ({ baseUrl = GOOGLE_BASE_URL }) => baseUrl,
  keyHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  async open(model, access, fetch) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL: googleProvider.baseUrl(access), apiKey: access.apiKey, fetch })(model);
  },
  objects: 'schema',
  streams: true,
};

const compatibleProvider: ModelProviderRecord = {
  name: 'The model server',
  baseUrl: ({ baseUrl = '' }) => baseUrl,
  keyHeaders: bearerHeaders,
  open: (model, access, fetch) =>
    openCompatibleModel(model, compatibleProvider.baseUrl(access), access.apiKey, fetch, false),
  objects: 'text',
  streams: false,
};

const ollamaProvider: ModelProviderRecord = {
  name: 'Ollama',
  // Its API of OpenAI is below /v1.
  baseUrl: ({ baseUrl = '' }) => (baseUrl.endsWith('/v1') ? baseUrl : `${baseUrl}/v1`),
  keyHeaders: bearerHeaders,
  open: (model, access, fetch) =>
    openCompatibleModel(model, ollamaProvider.baseUrl(access), access.apiKey, fetch, true),
  objects: 'schema',
  streams: true,
};

const MODEL_PROVIDERS: Readonly<Record<LlmProvider, ModelProviderRecord>> = {
  openai: openaiProvider,
  anthropic: anthropicProvider,
  google: googleProvider,
  openai_compatible: compatibleProvider,
  ollama: ollamaProvider,
};

export const findModelProvider = ({ provider }: Pick<ModelAccess, 'provider'>): ModelProviderRecord =>
  MODEL_PROVIDERS[provider];
