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
export type Fetch = typeof globalThis.fetch;

/** A provider of language models: a library that speaks its protocol, and what the service needs besides. */
interface Provider {
  name: string;
  baseUrl(access: ModelAccess): string;
  /** The headers that carry the key. */
  keyHeaders(apiKey: string): Record<string, string>;
  /** Opens a model. Libraries are loaded with the first call that needs them, and read no environment variable: all they ask for is given. */
  open(model: string, access: ModelAccess, fetch: Fetch): Promise<LanguageModelV3>;
  /** How an answer that is an object is asked for. `text`: only by words, because not every server knows the parameter. */
  objects: 'schema' | 'text';
  /** Whether answers can be streamed. Servers that may not know the option for the usage of streamed answers cannot: budgets need it. */
  streams: boolean;
  /** Options of its library. */
  options?: Record<string, string | boolean>;
}

const bearer = (apiKey: string): Record<string, string> => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` });

/** Servers behind other hosts, such as gateways, know the older chat completions only. */
const speaksResponses = (baseUrl: string) => /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);

const OPENAI = 'https://api.openai.com/v1';
const ANTHROPIC = 'https://api.anthropic.com/v1';
const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta';

/** A server with the API of OpenAI. */
async function openCompatible(model: string, baseUrl: string, apiKey: string, fetch: Fetch, hasSchemas: boolean) {
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

const openai: Provider = {
  name: 'OpenAI',
  baseUrl: ({ baseUrl = OPENAI }) => baseUrl,
  keyHeaders: bearer,
  async open(model, access, fetch) {
    const baseURL = openai.baseUrl(access);
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ baseURL, apiKey: access.apiKey, fetch });
    return speaksResponses(baseURL) ? provider.responses(model) : provider.chat(model);
  },
  objects: 'schema',
  streams: true,
  // Answers are not kept at the provider. Strict schemas must list every property as required: ours need not.
  options: { store: false, strictJsonSchema: false },
};

const anthropic: Provider = {
  name: 'Anthropic',
  baseUrl: ({ baseUrl = ANTHROPIC }) => baseUrl,
  keyHeaders: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  async open(model, access, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: anthropic.baseUrl(access), apiKey: access.apiKey, fetch })(model);
  },
  objects: 'schema',
  streams: true,
};

const google: Provider = {
  name: 'Google',
  baseUrl: ({ baseUrl = GOOGLE }) => baseUrl,
  keyHeaders: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  async open(model, access, fetch) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL: google.baseUrl(access), apiKey: access.apiKey, fetch })(model);
  },
  objects: 'schema',
  streams: true,
};

const compatible: Provider = {
  name: 'The model server',
  baseUrl: ({ baseUrl = '' }) => baseUrl,
  keyHeaders: bearer,
  open: (model, access, fetch) => openCompatible(model, compatible.baseUrl(access), access.apiKey, fetch, false),
  objects: 'text',
  streams: false,
};

const ollama: Provider = {
  name: 'Ollama',
  // Its API of OpenAI is below /v1.
  baseUrl: ({ baseUrl = '' }) => (baseUrl.endsWith('/v1') ? baseUrl : `${baseUrl}/v1`),
  keyHeaders: bearer,
  open: (model, access, fetch) => openCompatible(model, ollama.baseUrl(access), access.apiKey, fetch, true),
  objects: 'schema',
  streams: true,
};

const PROVIDERS: Readonly<Record<LlmProvider, Provider>> = {
  openai,
  anthropic,
  google,
  openai_compatible: compatible,
  ollama,
};

export const providerOf = ({ provider }: Pick<ModelAccess, 'provider'>): Provider => PROVIDERS[provider];
