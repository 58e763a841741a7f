import type { Conversion } from '../../conversion';
import { textOf } from '../../conversion';
import { bag, cut, type N8nNode } from '../../file';
import { shortType } from '../../starts/starts';
import type { Expressions } from '../../text';
import { chosen } from '../http';

/** A provider of language models: what its credential needs. */
interface Provider {
  name: string;
  /** The provider of the credential. */
  provider: 'openai' | 'anthropic' | 'google' | 'ollama' | 'openai_compatible';
  baseUrl?: string;
}

const OPENAI: Provider = { name: 'OpenAI', provider: 'openai' };
const ANTHROPIC: Provider = { name: 'Anthropic', provider: 'anthropic' };
const GOOGLE: Provider = { name: 'Google', provider: 'google' };
const OLLAMA: Provider = { name: 'Ollama', provider: 'ollama' };
const compatible = (name: string, baseUrl: string): Provider => ({ name, provider: 'openai_compatible', baseUrl });

/** The providers of nodes, by the short name of the type. Base URLs: the documentation of the providers. */
const PROVIDERS: Readonly<Record<string, Provider>> = {
  lmChatOpenAi: OPENAI,
  lmOpenAi: OPENAI,
  openAi: OPENAI,
  lmChatAnthropic: ANTHROPIC,
  anthropic: ANTHROPIC,
  lmChatGoogleGemini: GOOGLE,
  googleGemini: GOOGLE,
  lmChatOllama: OLLAMA,
  lmOllama: OLLAMA,
  lmChatMistralCloud: compatible('Mistral', 'https://api.mistral.ai/v1'),
  lmChatGroq: compatible('Groq', 'https://api.groq.com/openai/v1'),
  lmChatDeepSeek: compatible('DeepSeek', 'https://api.deepseek.com/v1'),
  lmChatOpenRouter: compatible('OpenRouter', 'https://openrouter.ai/api/v1'),
  lmChatXAiGrok: compatible('xAI', 'https://api.x.ai/v1'),
};

/** Fields of `llm` and `agent` that say which model is asked, and how. */
interface ModelFields {
  model?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

const numberIn = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined;

const KNOWN = new Set(['temperature', 'maxTokens', 'maxTokensToSample', 'maxOutputTokens', 'numPredict']);
const HARMLESS = new Set(['timeout', 'maxRetries', 'streaming', 'keepAlive', 'system', 'systemMessage', 'simplify']);

/** The fields that a node for a model, or with one, stands for. Says which credential is needed. */
function fieldsOf(conversion: Conversion, node: N8nNode, expressions: Expressions): ModelFields {
  const { parameters } = node;
  const short = shortType(node.type);
  const provider = Object.hasOwn(PROVIDERS, short) ? PROVIDERS[short] : undefined;
  const options = bag(parameters['options']);
  if (!provider) {
    conversion.todo(
      `Choose a credential of a language model and a model: Weft has no ${cut(short, 60)}, but reaches servers with the API of OpenAI.`,
    );
    return {};
  }
  const own = options['baseURL'];
  const baseUrl =
    typeof own === 'string' && own !== '' ? 'the base URL of n8n’s credential or options' : provider.baseUrl;
  conversion.todo(
    `Choose a credential of the kind Language model: ${provider.provider}${baseUrl ? `, ${baseUrl}` : ''}.`,
  );
  const written = parameters['model'] ?? parameters['modelName'] ?? parameters['chatModel'] ?? parameters['modelId'];
  const model = conversion.limited(textOf(chosen(written), expressions)?.replace(/^models\//, ''), 200);
  if (model === undefined) conversion.todo(`Choose a model of ${provider.name}.`);
  const lost = Object.keys(options).filter((name) => !KNOWN.has(name) && !HARMLESS.has(name) && name !== 'baseURL');
  if (lost.length > 0)
    conversion.say(
      `Left out of its model: ${lost
        .slice(0, 5)
        .map((name) => cut(name, 40))
        .join(', ')}.`,
    );
  const limit =
    options['maxTokens'] ?? options['maxTokensToSample'] ?? options['maxOutputTokens'] ?? options['numPredict'];
  const maxTokens = numberIn(limit, 1, 1_000_000);
  return {
    model,
    temperature: numberIn(options['temperature'], 0, 2),
    maxTokens: maxTokens === undefined ? undefined : Math.round(maxTokens),
  };
}

/** The model of a node that has one attached. */
export function attachedModel(conversion: Conversion, expressions: Expressions): ModelFields {
  const { node, around } = conversion;
  const [first, ...others] = around.attached(node, 'ai_languageModel');
  for (const other of others) around.tell(other, 'left out', 'A node has one model. Failures of it can be retried.');
  if (!first) {
    conversion.todo('Choose a credential of a language model, and a model.');
    return {};
  }
  around.tell(first, 'converted', `It is the model of “${cut(node.name, 60)}”.`);
  return fieldsOf(conversion, first, expressions);
}

/** The model of a node that names it itself. */
export const ownModel = (conversion: Conversion, expressions: Expressions): ModelFields =>
  fieldsOf(conversion, conversion.node, expressions);
