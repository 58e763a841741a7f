import type { NodeConversion } from '../../conversion';
import { shortNodeType } from '../../starts/convert-trigger';
import { argumentCode } from './tool-arguments';

/** A tool of the node `agent`. */
export interface ConvertedTool {
  name: string;
  description: string;
  type: string;
  config: Record<string, unknown>;
  inputSchema?: Record<string, unknown> | undefined;
}

export type ConvertedToolConfig = Omit<ConvertedTool, 'name' | 'description'>;

/** Source of a function that calculates with numbers, + - * / ^ and brackets. */
const CALCULATION = `
const text = query.replaceAll(/\\s/g, '');
let at = 0;
const take = (sign) => text[at] === sign && (at += 1) > 0;
const fail = () => {
  throw new Error("I don't know how to do that.");
};
const readNumber = () => {
  const pattern = /(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?/iy;
  pattern.lastIndex = at;
  const [found] = pattern.exec(text) ?? fail();
  at += found.length;
  return Number(found);
};
const readBrackets = () => {
  if (!take('(')) return readNumber();
  const value = readSum();
  return take(')') ? value : fail();
};
const readPower = () => {
  const base = readBrackets();
  return take('^') ? base ** readSigned() : base;
};
const readSigned = () => (take('-') ? -readSigned() : take('+') ? readSigned() : readPower());
const readProduct = () => {
  let value = readSigned();
  for (;;)
    if (take('*')) value *= readSigned();
    else if (take('/')) value /= readSigned();
    else return value;
};
const readSum = () => {
  let value = readProduct();
  for (;;)
    if (take('+')) value += readProduct();
    else if (take('-')) value -= readProduct();
    else return value;
};
const value = readSum();
return String(at === text.length ? value : fail());`;

/** Tools that n8n has without parameters, as code: what models are told of them, and what they give. */
export const OWN_TOOLS: Readonly<Record<string, { description: string; source: string; remark?: string }>> = {
  toolThink: {
    description:
      'Notes a thought, for tasks of several steps. It finds out nothing new and changes nothing: the answer is the thought.',
    source: 'return query;',
  },
  toolCalculator: {
    description: 'Calculates. The input is a term of numbers, the signs + - * / ^ and brackets, such as 2*(3+4)^2.',
    source: `try {${CALCULATION}\n} catch (error) {\n  return error.message;\n}`,
    remark: 'It calculates with + - * / ^ and brackets, without functions.',
  },
};

export const QUERY_INPUT_SCHEMA = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What is asked' } },
  required: ['query'],
};

/** A tool without parameters as code with one text. */
export function convertOwnTool(inner: NodeConversion): ConvertedToolConfig | undefined {
  const { source = '', remark } = OWN_TOOLS[shortNodeType(inner.node.type)] ?? {};
  if (remark !== undefined) inner.addRemark(remark);
  const config = {
    source: `const query = String(${argumentCode('query')});\nreturn { response: (() => {\n${source}\n})() };`,
  };
  return { type: 'code', config, inputSchema: QUERY_INPUT_SCHEMA };
}

/** The search of Wikipedia, as its documentation describes it. */
export const wikipediaTool = (): ConvertedToolConfig => ({
  type: 'http_request',
  config: {
    url: 'https://en.wikipedia.org/w/api.php',
    query: { action: 'query', list: 'search', format: 'json', srsearch: `{{ ${argumentCode('query')} }}` },
  },
  inputSchema: QUERY_INPUT_SCHEMA,
});

export function serpApiTool(inner: NodeConversion): ConvertedToolConfig {
  inner.addTodo('Choose a credential of SerpApi: api_key, query parameter api_key.');
  return {
    type: 'http_request',
    config: {
      url: 'https://serpapi.com/search.json',
      query: { engine: 'google', q: `{{ ${argumentCode('query')} }}` },
    },
    inputSchema: QUERY_INPUT_SCHEMA,
  };
}
