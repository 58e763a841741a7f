import {
  dropUndefinedFields,
  isEmptyParameter,
  parameterText,
  type NodeConversion,
  type NodeConverter,
} from '../conversion';
import { asN8nObject, asN8nObjects, type N8nObject } from '../file';
import { isN8nExpression } from '../n8n-expressions';
import { addCredentialTodo } from './http';
import { readCertificateRule } from './http-options';
import { ParameterReader } from './services/service';

// Services whose nodes send one request: an HTTP request sends the same.

const readParameters = (conversion: NodeConversion) => new ParameterReader(conversion, conversion.expressions);

/** Options of a request that have no counterpart. */
function reportOtherOptions(conversion: NodeConversion, options: N8nObject, known: readonly string[]): void {
  const others = Object.keys(options).filter((name) => !known.includes(name) && !isEmptyParameter(options[name]));
  if (others.length > 0) conversion.addTodo(`These options of it are left out: ${others.slice(0, 10).join(', ')}.`);
}

export const describeOtherOperation = (service: string) =>
  `Weft does not convert this operation of ${service}: call its API with an HTTP request.`;

/** The speech of a file as text. */
export const convertTranscription: NodeConverter = (conversion) => {
  const read = readParameters(conversion);
  addCredentialTodo(conversion, 'a credential with the API key of OpenAI as a bearer token');
  const options = asN8nObject(conversion.node.parameters['options']);
  reportOtherOptions(conversion, options, ['language', 'temperature']);
  const [language, temperature] = [read.text('options.language'), read.text('options.temperature')];
  const fields = { model: 'whisper-1', language, temperature: temperature === '0' ? undefined : temperature };
  const parts = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return conversion.createCall({
    type: 'http_request',
    path: '.body',
    config: {
      url: 'https://api.openai.com/v1/audio/transcriptions',
      method: 'POST',
      bodyType: 'multipart',
      body: [...parts, { name: 'file', file: read.file() }],
    },
  });
};

const convertGraphApi: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { expressions } = conversion;
  const read = readParameters(conversion);
  addCredentialTodo(
    conversion,
    parameters['authType'] === 'oAuth2'
      ? 'an account of Facebook'
      : 'a credential with the access token as the query parameter access_token',
  );
  const options = asN8nObject(parameters['options']);
  reportOtherOptions(conversion, options, ['fields', 'queryParameters', 'queryParametersJson']);
  if (!['', '{}'].includes(String(options['queryParametersJson'] ?? '').trim()))
    conversion.addTodo('Enter its query parameters: those of one JSON text are left out.');
  const fields = asN8nObjects(asN8nObject(options['fields'])['field']).map(({ name }) =>
    parameterText(name, expressions),
  );
  const entered = asN8nObjects(asN8nObject(options['queryParameters'])['parameter']);
  if (entered.some(({ name }) => isN8nExpression(name)))
    conversion.addTodo('Enter its query parameters: those with a computed name are left out.');
  const named = entered.flatMap(({ name, value }): [string, string][] =>
    typeof name === 'string' && name !== '' && !isN8nExpression(name)
      ? [[name, parameterText(value, expressions) ?? '']]
      : [],
  );
  const query = { ...(fields.length > 0 ? { fields: fields.join(',') } : {}), ...Object.fromEntries(named) };
  const version = read.text('graphApiVersion');
  const parts = [read.text('hostUrl') ?? 'graph.facebook.com', version, read.text('node') ?? '', read.text('edge')];
  if (read.isEmpty('node')) conversion.addChoice('config.url', 'Enter the node that it asks for.');
  const name = read.text('binaryPropertyName') ?? '';
  const [property = 'file', file = property] = name.includes(':') ? name.split(':') : ['file', name];
  return conversion.createCall({
    type: 'http_request',
    path: '.body',
    config: {
      url: `https://${parts.filter((part) => part !== undefined).join('/')}`,
      method: String(parameters['httpRequestMethod'] ?? 'GET'),
      query: Object.keys(query).length > 0 ? query : undefined,
      acceptsAnyCertificate: readCertificateRule(conversion, parameters),
      ...(read.isSet('sendBinaryData')
        ? {
            bodyType: 'multipart',
            body: [{ name: property, file: `{{ input.$files?.[${JSON.stringify(file)}] }}` }],
          }
        : {}),
    },
  });
};

/** Options of Perplexity that are sent under another name. */
const PERPLEXITY_OPTIONS: Readonly<Record<string, string>> = {
  frequencyPenalty: 'frequency_penalty',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  presencePenalty: 'presence_penalty',
  returnImages: 'return_images',
  returnRelatedQuestions: 'return_related_questions',
  searchRecency: 'search_recency_filter',
  topK: 'top_k',
  topP: 'top_p',
};

const convertPerplexity: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  if (
    (parameters['resource'] ?? 'chat') !== 'chat' ||
    !['complete', undefined].includes(parameters['operation'] as string)
  )
    return conversion.placeholder(describeOtherOperation('Perplexity'));
  const read = readParameters(conversion);
  addCredentialTodo(conversion, 'a credential with the API key of Perplexity as a bearer token');
  const options = asN8nObject(parameters['options']);
  reportOtherOptions(conversion, options, Object.keys(PERPLEXITY_OPTIONS));
  const messages = asN8nObjects(asN8nObject(parameters['messages'])['message']).map(({ role = 'user', content }) => ({
    role: String(role),
    content: parameterText(content, conversion.expressions) ?? '',
  }));
  if (messages.length === 0) conversion.addChoice('config.body', 'Write its message.');
  const sent = Object.entries(PERPLEXITY_OPTIONS).map(([theirs, ours]) => [ours, read.value(`options.${theirs}`)]);
  const call = conversion.createCall({
    type: 'http_request',
    path: '.body',
    config: {
      url: 'https://api.perplexity.ai/chat/completions',
      method: 'POST',
      body: dropUndefinedFields({ model: read.text('model') ?? 'sonar', messages, ...Object.fromEntries(sent) }),
    },
  });
  const shape =
    '({ id, created, citations, choices }) => ({ id, created, citations, message: choices?.[0]?.message?.content })';
  return read.isSet('simplify') ? { ...call, shape } : call;
};

/** Tweets that are written. The first version has an API that X has ended. */
const convertTwitter: NodeConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  const { resource = 'tweet', operation = 'create' } = parameters;
  if (version < 2 || resource !== 'tweet' || operation !== 'create')
    return conversion.placeholder(describeOtherOperation('X'));
  const read = readParameters(conversion);
  addCredentialTodo(conversion, 'an account of X');
  reportOtherOptions(conversion, asN8nObject(parameters['additionalFields']), []);
  if (read.isEmpty('text')) conversion.addChoice('config.body', 'Write its text.');
  return conversion.createCall({
    type: 'http_request',
    path: '.body.data',
    config: { url: 'https://api.x.com/2/tweets', method: 'POST', body: { text: read.text('text') ?? '' } },
  });
};

export const REQUEST_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  facebookGraphApi: convertGraphApi,
  perplexity: convertPerplexity,
  twitter: convertTwitter,
};
