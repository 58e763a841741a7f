import { Conversion, textOf, type Piece } from '../../conversion';
import { bag, cut, list, type Bag, type N8nNode } from '../../file';
import type { Argument } from '../../javascript/scope';
import { atom, stepped } from '../../javascript/code';
import { shortType } from '../../starts/starts';
import { isExpression, plain } from '../../text';
import { plainSchema } from './schemas';

/** A tool of the node `agent`. */
export interface MadeTool {
  name: string;
  description: string;
  type: string;
  config: Record<string, unknown>;
  inputSchema?: Record<string, unknown> | undefined;
}

type Made = Omit<MadeTool, 'name' | 'description'>;

/** Types of nodes that can be tools. */
const TOOL_TYPES = new Set([
  'http_request',
  'sub_workflow',
  'send_email',
  'sql',
  'ssh',
  'file_transfer',
  'code',
  'connector',
]);
/** An address that begins with a fixed host. */
const FIXED = /^https?:\/\/[^/{}\s?#]+(?:$|[/?#])/i;
const RESERVED = new Set(['start', 'model', 'memory', 'answer', '']);
const MAX_TOOLS = 50;

/** The arguments of a tool, as its expressions name them. */
class Arguments {
  private readonly named = new Map<string, Argument>();

  /** The code of one. */
  readonly of = (argument: Argument): string => {
    this.named.set(argument.name, argument);
    return stepped(atom('input'), argument.name).code;
  };

  get schema(): Record<string, unknown> | undefined {
    if (this.named.size === 0) return undefined;
    const all = [...this.named.values()];
    const required = all.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(
        all.map(({ name, type, description }) => [
          name,
          { ...(type ? { type } : {}), ...(description ? { description: cut(description, 4000) } : {}) },
        ]),
      ),
      ...(required.length > 0 ? { required } : {}),
    };
  }
}

/** The tools of an agent; what cannot be one is left out. `item`: the code of the item that the agent is about. */
export function toolsOf(conversion: Conversion, item: string, convert: (conversion: Conversion) => Piece): MadeTool[] {
  const { node: agent, around } = conversion;
  const used = new Set(RESERVED);
  return around.attached(agent, 'ai_tool').flatMap((node, index): MadeTool[] => {
    const leaveOut = (reason: string): MadeTool[] => {
      around.tell(node, 'left out', reason);
      conversion.todo(`Its tool “${cut(node.name, 60)}” is left out.`);
      return [];
    };
    if (index >= MAX_TOOLS) return leaveOut(`An agent has at most ${MAX_TOOLS} tools.`);
    const given = new Arguments();
    const inner = new Conversion({ ...node, isDisabled: false }, 'tool', {
      ...around,
      source: { path: undefined, code: item, isList: false },
      inputs: [],
      fromAi: given.of,
    });
    const short = shortType(node.type);
    const own = Object.hasOwn(OWN, short) && node.type.includes('langchain') ? OWN[short]?.(inner) : undefined;
    const made = own ?? ofNode(inner, convert);
    if (!made)
      return leaveOut(REASONS[short] ?? 'Weft has no such tool: add an HTTP request, a workflow or code as one.');
    if (made.type === 'http_request' && !FIXED.test(String(made.config['url'])))
      return leaveOut('Its address has no fixed host, which a tool of Weft needs.');
    const { pagination: _, ...config } = made.config;
    const name = nameOf(node, used);
    around.tell(
      node,
      inner.outcome,
      [`It is the tool ${name} of “${cut(agent.name, 60)}”.`, inner.message].filter(Boolean).join(' '),
    );
    if (inner.outcome === 'partly') conversion.todo(`Its tool ${name} needs attention.`);
    return [{ ...made, config, name, description: descriptionOf(node), inputSchema: made.inputSchema ?? given.schema }];
  });
}

function nameOf({ name, parameters }: N8nNode, used: Set<string>): string {
  const given = typeof parameters['name'] === 'string' && parameters['name'] !== '' ? parameters['name'] : name;
  const base = given
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[\d_-]+|_+$/g, '')
    .slice(0, 58)
    .toLowerCase();
  let found = base;
  for (let count = 2; used.has(found); count += 1) found = `${base || 'tool'}_${count}`;
  used.add(found);
  return found;
}

function descriptionOf({ name, parameters }: N8nNode): string {
  const { toolDescription, description } = parameters;
  const text = [toolDescription, description].find((one) => typeof one === 'string' && one.trim() !== '');
  return cut(typeof text === 'string' && !isExpression(text) ? text : name, 4000);
}

/** A node of n8n as a tool: `gmailTool` is `gmail`, whose parameters a model may choose. */
function ofNode(inner: Conversion, convert: (conversion: Conversion) => Piece): Made | undefined {
  const { type } = inner.node;
  if (!type.startsWith('n8n-nodes-base.') || !type.endsWith('Tool')) return undefined;
  const bare = new Conversion({ ...inner.node, type: type.slice(0, -'Tool'.length) }, inner.id, inner.around);
  const { nodes } = convert(bare);
  if (bare.outcome !== 'converted') inner.todo(bare.message);
  else if (bare.message) inner.say(bare.message);
  const [made, ...others] = nodes;
  if (bare.outcome === 'placeholder' || !made || others.length > 0 || !TOOL_TYPES.has(made.type)) return undefined;
  return { type: made.type, config: made.config };
}

const text = (description: string) => ({ type: 'string', description });

/** Parts of an address or a body in which `{name}` is what the model chooses. */
function placeheld(source: string, given: Argument[]): string {
  return plain(source).replaceAll(/\{([A-Za-z_]\w{0,63})\}/g, (_, name: string) => {
    const known = given.find((one) => one.name === name);
    if (!known) given.push({ name, description: '', type: 'string', isRequired: true });
    return `{{ input.${name} }}`;
  });
}

function httpTool(inner: Conversion): Made {
  const { parameters, hasCredential } = inner.node;
  if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') inner.todo('Choose its credential.');
  const given: Argument[] = list(bag(parameters['placeholderDefinitions'])['values']).flatMap((one) => {
    const { name, description = '', type } = one;
    if (typeof name !== 'string' || !/^[A-Za-z_]\w{0,63}$/.test(name)) return [];
    const known = ['string', 'number', 'boolean'].includes(String(type)) ? String(type) : undefined;
    return [{ name, description: String(description), type: known, isRequired: true }];
  });
  const expressions = inner.expressions(inner.json);
  const textIn = (value: unknown): string | undefined =>
    typeof value !== 'string' || isExpression(value) ? textOf(value, expressions) : placeheld(value, given);
  const pairs = (kind: string) => {
    const entries = list(bag(parameters[`parameters${kind}`])['values']).flatMap((one) => {
      const { name, valueProvider = 'modelRequired', value } = one;
      if (typeof name !== 'string' || name === '' || name === '__proto__') return [];
      if (valueProvider === 'fieldValue') return [[name, textIn(value) ?? ''] as const];
      const argument = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
      given.push({ name: argument, description: '', type: 'string', isRequired: valueProvider === 'modelRequired' });
      return [[plain(name), `{{ input.${argument} }}`] as const];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  const { method = 'GET', url, sendQuery, sendHeaders, sendBody, jsonBody } = parameters;
  const isKnown = typeof method === 'string' && ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  const address = textIn(url) ?? '';
  const body = sendBody === true ? (pairs('Body') ?? textIn(jsonBody)) : undefined;
  const query = sendQuery === true ? pairs('Query') : undefined;
  const headers = sendHeaders === true ? pairs('Headers') : undefined;
  const all = new Arguments();
  for (const one of given) all.of(one);
  return {
    type: 'http_request',
    config: defined({ url: inner.limited(address, 16_000), method: isKnown ? method : 'GET', query, headers, body }),
    inputSchema: all.schema,
  };
}

const defined = (config: Bag): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

function workflowTool(inner: Conversion): Made {
  const { parameters } = inner.node;
  inner.todo('Choose its workflow.');
  const fields = bag(bag(parameters['workflowInputs'])['value']);
  const expressions = inner.expressions(inner.json);
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const found = textOf(value, expressions);
    return found === undefined ? [] : [[plain(name), found] as const];
  });
  return {
    type: 'sub_workflow',
    config: entries.length > 0 ? { input: Object.fromEntries(entries) } : {},
    inputSchema: entries.length > 0 ? undefined : QUERY,
  };
}

const QUERY = { type: 'object', properties: { query: text('What is asked') }, required: ['query'] };
const MAX_SOURCE = 80_000;

function codeTool(inner: Conversion): Made | undefined {
  const { language, jsCode, pythonCode, specifyInputSchema, inputSchema } = inner.node.parameters;
  const isPython = language === 'python' || language === 'pythonNative';
  const source = isPython ? pythonCode : jsCode;
  if (typeof source !== 'string' || source.length > MAX_SOURCE) return undefined;
  inner.say('Check its code: it reads “query”.');
  let schema: Record<string, unknown> | undefined;
  if (specifyInputSchema === true && typeof inputSchema === 'string') {
    try {
      schema = plainSchema(JSON.parse(inputSchema), () => inner.say('Parts of its schema are left out.'));
    } catch {
      inner.todo('Enter the schema of its arguments.');
    }
  }
  const isWhole = schema?.['type'] === 'object';
  const config = isPython
    ? { language: 'python', source: `query = _query = ${isWhole ? 'input' : 'input["query"]'}\n${source}` }
    : { source: `const query = ${isWhole ? 'input' : 'input.query'};\n${source}` };
  return { type: 'code', config, inputSchema: isWhole ? schema : QUERY };
}

/** The search of Wikipedia, as its documentation describes it. */
const wikipedia = (): Made => ({
  type: 'http_request',
  config: {
    url: 'https://en.wikipedia.org/w/api.php',
    query: { action: 'query', list: 'search', format: 'json', srsearch: '{{ input.query }}' },
  },
  inputSchema: QUERY,
});

function search(inner: Conversion): Made {
  inner.todo('Choose a credential of SerpApi: api_key, query parameter api_key.');
  return {
    type: 'http_request',
    config: { url: 'https://serpapi.com/search.json', query: { engine: 'google', q: '{{ input.query }}' } },
    inputSchema: QUERY,
  };
}

const OWN: Readonly<Record<string, (inner: Conversion) => Made | undefined>> = {
  toolHttpRequest: httpTool,
  toolWorkflow: workflowTool,
  toolCode: codeTool,
  toolWikipedia: wikipedia,
  toolSerpApi: search,
};

/** Why a tool has no counterpart. */
const REASONS: Readonly<Record<string, string>> = {
  toolThink: 'Models think without such a tool: say so in the instructions.',
  toolCalculator: 'Add code as a tool that calculates.',
  toolVectorStore: 'Weft has no vector stores: call the API of yours with an HTTP request as a tool.',
  mcpClientTool: 'Add its tools one by one: tools of the type MCP tool, with a credential of the kind MCP server.',
  agentTool: 'An agent is no tool in Weft: put it into a workflow, and use this workflow as the tool.',
};
