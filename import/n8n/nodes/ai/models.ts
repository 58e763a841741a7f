import { isEmptyParameter, type NodeConversion, parameterText } from '../../conversion';
import { asN8nObject, cutWellFormed, type N8nNode } from '../../file';
import { shortNodeType } from '../../starts/convert-trigger';
import type { NodeExpressions } from '../../n8n-expressions';
import { chosenListValue } from '../http';

/** A provider of language models: what its credential needs. */
interface N8nModelProvider {
  name: string;
  /** The provider of the credential. */
  provider: 'openai' | 'anthropic' | 'google' | 'ollama' | 'openai_compatible';
  baseUrl?: string;
}

const OPENAI_PROVIDER: N8nModelProvider = { name: 'OpenAI', provider: 'openai' };
const ANTHROPIC_PROVIDER: N8nModelProvider = { name: 'Anthropic', provider: 'anthropic' };
const GOOGLE_PROVIDER: N8nModelProvider = { name: 'Google', provider: 'google' };
const OLLAMA_PROVIDER: N8nModelProvider = { name: 'Ollama', provider: 'ollama' };
const openAiCompatible = (name: string, baseUrl: string): N8nModelProvider => ({
  name,
  provider: 'openai_compatible',
  baseUrl,
});

/** The providers of nodes, by the short name of the type. Base URLs: the documentation of the providers. */
const PROVIDERS_BY_NODE_TYPE: Readonly<Record<string, N8nModelProvider>> = {
  lmChatOpenAi: OPENAI_PROVIDER,
  lmOpenAi: OPENAI_PROVIDER,
  openAi: OPENAI_PROVIDER,
  lmChatAnthropic: ANTHROPIC_PROVIDER,
  anthropic: ANTHROPIC_PROVIDER,
  lmChatGoogleGemini: GOOGLE_PROVIDER,
  googleGemini: GOOGLE_PROVIDER,
  lmChatOllama: OLLAMA_PROVIDER,
  lmOllama: OLLAMA_PROVIDER,
  lmChatMistralCloud: openAiCompatible('Mistral', 'https://api.mistral.ai/v1'),
  lmChatGroq: openAiCompatible('Groq', 'https://api.groq.com/openai/v1'),
  lmChatDeepSeek: openAiCompatible('DeepSeek', 'https://api.deepseek.com/v1'),
  lmChatOpenRouter: openAiCompatible('OpenRouter', 'https://openrouter.ai/api/v1'),
  lmChatXAiGrok: openAiCompatible('xAI', 'https://api.x.ai/v1'),
};

/** The models that n8n 2.41 asks where a node names none, by the short name of the type. */
const DEFAULT_MODELS: Readonly<Record<string, (version: number) => string>> = {
  lmChatOpenAi: () => 'gpt-5-mini',
  lmChatGoogleGemini: (version) => (version > 1 ? 'gemini-3-flash-preview' : 'gemini-2.5-flash'),
  lmChatOpenRouter: () => 'openai/gpt-4.1-mini',
  lmChatDeepSeek: () => 'deepseek-chat',
  lmChatGroq: () => 'llama3-8b-8192',
  lmChatMistralCloud: () => 'mistral-small',
  lmChatXAiGrok: () => 'grok-2-vision-1212',
  lmChatOllama: () => 'llama3.2',
};

/** Fields of `llm` and `agent` that say which model is asked, and how. */
interface ModelFields {
  model?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

const numberInRange = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined;

const CONVERTED_MODEL_OPTIONS = new Set([
  'temperature',
  'maxTokens',
  'maxTokensToSample',
  'maxOutputTokens',
  'numPredict',
]);
const IGNORED_MODEL_OPTIONS = new Set([
  'timeout',
  'maxRetries',
  'streaming',
  'keepAlive',
  'system',
  'systemMessage',
  'simplify',
]);

/** The fields that a node for a model, or with one, stands for. Says which credential is needed. */
function convertModelFields(conversion: NodeConversion, node: N8nNode, expressions: NodeExpressions): ModelFields {
  const { parameters } = node;
  const short = shortNodeType(node.type);
  const provider = Object.hasOwn(PROVIDERS_BY_NODE_TYPE, short) ? PROVIDERS_BY_NODE_TYPE[short] : undefined;
  const options = asN8nObject(parameters['options']);
  if (!provider) {
    conversion.addTodo(
      `Choose a credential of a language model and a model: Weft has no ${cutWellFormed(short, 60)}, but reaches servers with the API of OpenAI.`,
    );
    return {};
  }
  const own = options['baseURL'];
  const baseUrl =
    typeof own === 'string' && own !== '' ? 'the base URL of n8n’s credential or options' : provider.baseUrl;
  conversion.addTodo(
    `Choose a credential of the kind Language model: ${provider.provider}${baseUrl ? `, ${baseUrl}` : ''}.`,
  );
  const written = parameters['model'] ?? parameters['modelName'] ?? parameters['chatModel'] ?? parameters['modelId'];
  const usual =
    written === undefined && Object.hasOwn(DEFAULT_MODELS, short) ? DEFAULT_MODELS[short]?.(node.version) : undefined;
  if (usual !== undefined) conversion.addRemark(`It names no model: it has ${usual}, which n8n asks then.`);
  const model =
    usual ?? conversion.limitText(parameterText(chosenListValue(written), expressions)?.replace(/^models\//, ''), 200);
  if (model === undefined && isEmptyParameter(written))
    conversion.addChoice('config.model', `Choose a model of ${provider.name}.`);
  else if (model === undefined) conversion.addTodo(`Choose a model of ${provider.name}.`);
  const lost = Object.keys(options).filter(
    (name) => !CONVERTED_MODEL_OPTIONS.has(name) && !IGNORED_MODEL_OPTIONS.has(name) && name !== 'baseURL',
  );
  if (lost.length > 0)
    conversion.addRemark(
      `Left out of its model: ${lost
        .slice(0, 5)
        .map((name) => cutWellFormed(name, 40))
        .join(', ')}.`,
    );
  const limit =
    options['maxTokens'] ?? options['maxTokensToSample'] ?? options['maxOutputTokens'] ?? options['numPredict'];
  const maxTokens = numberInRange(limit, 1, 1_000_000);
  return {
    model,
    temperature: numberInRange(options['temperature'], 0, 2),
    maxTokens: maxTokens === undefined ? undefined : Math.round(maxTokens),
  };
}

/** The model of a node that has one attached. */
export function attachedModelFields(conversion: NodeConversion, expressions: NodeExpressions): ModelFields {
  const { node, context: around } = conversion;
  const [first, ...others] = around.attachedParts(node, 'ai_languageModel');
  for (const other of others)
    around.reportPart(other, 'left out', 'A node has one model. Failures of it can be retried.');
  if (!first) {
    conversion.addTodo('Choose a credential of a language model, and a model.');
    return {};
  }
  around.reportPart(first, 'converted', `It is the model of “${cutWellFormed(node.name, 60)}”.`);
  return convertModelFields(conversion, first, expressions);
}

/** The model of a node that names it itself. */
export const ownModelFields = (conversion: NodeConversion, expressions: NodeExpressions): ModelFields =>
  convertModelFields(conversion, conversion.node, expressions);
