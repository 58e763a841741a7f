import { convertCalledWorkflow } from '../../convert-called-workflow';
import { dropUndefinedFields, parameterText, type NodeConversion, type ConvertedCall } from '../../conversion';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nNode } from '../../file';
import { shortNodeType } from '../../starts/convert-trigger';
import { isN8nExpression, escapeBraces } from '../../n8n-expressions';
import { leaveOutAccountTasks } from '../../report/findings';
import { leaveOutKnowledge } from '../../report/report-entry';
import {
  convertOwnTool,
  OWN_TOOLS,
  QUERY_INPUT_SCHEMA,
  serpApiTool,
  wikipediaTool,
  type ConvertedTool,
  type ConvertedToolConfig,
} from './own-tools';
import { simplifySchema } from './schemas';
import { argumentCode, argumentSchema, listModelArguments, type ToolArgument } from './tool-arguments';

/** Types of nodes that can be tools. */
const AGENT_TOOL_TYPES = new Set([
  'http_request',
  'sub_workflow',
  'send_email',
  'sql',
  'mongodb',
  'ssh',
  'file_transfer',
  'code',
  'connector',
]);
/** An address that begins with a fixed host. */
const FIXED_HOST_PATTERN = /^https?:\/\/[^/{}\s?#]+(?:$|[/?#])/i;
const RESERVED_TOOL_NAMES = new Set(['start', 'model', 'memory', 'answer', '']);
const MAX_CONVERTED_TOOLS = 50;

/** Converts the tools of an agent; nodes that can not be tools are left out. */
export function convertAgentTools(
  conversion: NodeConversion,
  convert: (conversion: NodeConversion) => ConvertedCall,
): ConvertedTool[] {
  const { node: agent, context: around } = conversion;
  const used = new Set(RESERVED_TOOL_NAMES);
  return around
    .attachedParts(agent, 'ai_tool')
    .flatMap(expandServerTools)
    .flatMap((node, index): ConvertedTool[] => {
      const leaveOut = (reason: string): ConvertedTool[] => {
        around.reportPart(node, 'left out', reason);
        conversion.addTodo(`Its tool “${cutWellFormed(node.name, 60)}” is left out.`);
        return [];
      };
      if (index >= MAX_CONVERTED_TOOLS) return leaveOut(`An agent has at most ${MAX_CONVERTED_TOOLS} tools.`);
      const given = listModelArguments(node.parameters);
      const inner = conversion.forNode({ ...node, isDisabled: false }, 'tool');
      if (given.hasOthers) inner.addTodo('Name its arguments: a name in $fromAI is computed, or has other signs.');
      const short = shortNodeType(node.type);
      const own =
        Object.hasOwn(TOOL_CONVERTERS, short) && node.type.includes('langchain')
          ? TOOL_CONVERTERS[short]?.(inner)
          : undefined;
      const made = own ?? convertNodeTool(inner, convert);
      if (!made)
        return leaveOut(
          UNSUPPORTED_TOOL_REASONS[short] ?? 'Weft has no such tool: add an HTTP request, a workflow or code as one.',
        );
      if (made.type === 'http_request' && !FIXED_HOST_PATTERN.test(String(made.config['url'])))
        return leaveOut('Its address has no fixed host, which a tool of Weft needs.');
      const { pagination: _, ...config } = made.config;
      const name = uniqueToolName(node, used);
      const place = `It is the tool ${name} of “${cutWellFormed(agent.name, 60)}”.`;
      const { message, remarks } = inner;
      const { knowledge, choices } = remarks;
      around.reportPart(node, inner.outcome, [place, message].filter(Boolean).join(' '), {
        knowledge: [place, ...knowledge],
        choices: choices.map((choice) => ({ ...choice, field: 'config.tools' })),
      });
      const tasks = leaveOutAccountTasks(leaveOutKnowledge({ message, knowledge, choices }));
      if (inner.outcome === 'partly' && tasks !== '') conversion.addTodo(`Its tool ${name} needs attention.`);
      else if (inner.outcome === 'partly') conversion.addRemark(`Choose the credential of its tool ${name}.`);
      return [
        {
          ...made,
          config,
          name,
          description: readToolDescription(node),
          inputSchema: made.inputSchema ?? argumentSchema(given.known),
        },
      ];
    });
}

function uniqueToolName({ name, parameters }: N8nNode, used: Set<string>): string {
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

/** What a tool tells models about itself. */
export function readToolDescription({ name, type, parameters }: N8nNode): string {
  const { toolDescription, description } = parameters;
  const short = shortNodeType(type);
  const usual = (Object.hasOwn(OWN_TOOLS, short) ? OWN_TOOLS[short]?.description : undefined) ?? name;
  const text = [toolDescription, description].find((one) => typeof one === 'string' && one.trim() !== '');
  return cutWellFormed(typeof text === 'string' && !isN8nExpression(text) ? text : usual, 4000);
}

/** A node of n8n as a tool: `gmailTool` is `gmail`, whose parameters a model may choose. */
function convertNodeTool(
  inner: NodeConversion,
  convert: (conversion: NodeConversion) => ConvertedCall,
): ConvertedToolConfig | undefined {
  const { type } = inner.node;
  if (!type.startsWith('n8n-nodes-base.') || !type.endsWith('Tool')) return undefined;
  const bare = inner.forNode({ ...inner.node, type: type.slice(0, -'Tool'.length) }, inner.id);
  const { node: made } = convert(bare);
  if (bare.outcome !== 'converted') inner.addTodo(bare.message);
  else if (bare.message) inner.addRemark(bare.message);
  if (bare.outcome === 'placeholder' || !AGENT_TOOL_TYPES.has(made.type)) return undefined;
  if (made.timeoutMs !== undefined) inner.addRemark('The time limit of its calls is left out.');
  return { type: made.type, config: made.config };
}

/** Replaces each `{name}` in an address or a body by the argument that the model chooses. */
function fillPlaceholders(source: string, given: ToolArgument[]): string {
  return escapeBraces(source).replaceAll(/\{([A-Za-z_]\w{0,63})\}/g, (_, name: string) => {
    const known = given.find((one) => one.name === name);
    if (!known) given.push({ name, description: '', type: 'string', isRequired: true });
    return `{{ ${argumentCode(name)} }}`;
  });
}

function convertHttpTool(inner: NodeConversion): ConvertedToolConfig {
  const { parameters, hasCredential } = inner.node;
  if (hasCredential || (parameters['authentication'] ?? 'none') !== 'none') inner.addTodo('Choose its credential.');
  const given: ToolArgument[] = asN8nObjects(asN8nObject(parameters['placeholderDefinitions'])['values']).flatMap(
    (one) => {
      const { name, description = '', type } = one;
      if (typeof name !== 'string' || !/^[A-Za-z_]\w{0,63}$/.test(name)) return [];
      const known = ['string', 'number', 'boolean'].includes(String(type)) ? String(type) : undefined;
      return [{ name, description: String(description), type: known, isRequired: true }];
    },
  );
  const expressions = inner.expressions;
  const textIn = (value: unknown): string | undefined =>
    typeof value !== 'string' || isN8nExpression(value)
      ? parameterText(value, expressions)
      : fillPlaceholders(value, given);
  const pairs = (kind: string) => {
    const entries = asN8nObjects(asN8nObject(parameters[`parameters${kind}`])['values']).flatMap((one) => {
      const { name, valueProvider = 'modelRequired', value } = one;
      if (typeof name !== 'string' || name === '' || name === '__proto__') return [];
      if (valueProvider === 'fieldValue') return [[name, textIn(value) ?? ''] as const];
      const argument = name.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
      given.push({ name: argument, description: '', type: 'string', isRequired: valueProvider === 'modelRequired' });
      return [[escapeBraces(name), `{{ ${argumentCode(argument)} }}`] as const];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  const { method = 'GET', url, sendQuery, sendHeaders, sendBody, jsonBody } = parameters;
  const isKnown = typeof method === 'string' && ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  const address = textIn(url) ?? '';
  const body = sendBody === true ? (pairs('Body') ?? textIn(jsonBody)) : undefined;
  const query = sendQuery === true ? pairs('Query') : undefined;
  const headers = sendHeaders === true ? pairs('Headers') : undefined;
  return {
    type: 'http_request',
    config: dropUndefinedFields({
      url: inner.limitText(address, 16_000),
      method: isKnown ? method : 'GET',
      query,
      headers,
      body,
    }),
    inputSchema: argumentSchema(given),
  };
}

function convertWorkflowTool(inner: NodeConversion): ConvertedToolConfig {
  const { parameters } = inner.node;
  const workflow = convertCalledWorkflow(inner, inner.context.workflows);
  const fields = asN8nObject(asN8nObject(parameters['workflowInputs'])['value']);
  const expressions = inner.expressions;
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const found = parameterText(value, expressions);
    return found === undefined ? [] : [[escapeBraces(name), found] as const];
  });
  return {
    type: 'sub_workflow',
    config: entries.length > 0 ? { ...workflow, input: Object.fromEntries(entries) } : workflow,
    inputSchema: entries.length > 0 ? undefined : QUERY_INPUT_SCHEMA,
  };
}

const MAX_TOOL_SOURCE = 80_000;

function convertCodeTool(inner: NodeConversion): ConvertedToolConfig | undefined {
  const { language, jsCode, pythonCode, specifyInputSchema, inputSchema } = inner.node.parameters;
  const isPython = language === 'python' || language === 'pythonNative';
  const source = isPython ? pythonCode : jsCode;
  if (typeof source !== 'string' || source.length > MAX_TOOL_SOURCE) return undefined;
  let schema: Record<string, unknown> | undefined;
  if (specifyInputSchema === true && typeof inputSchema === 'string') {
    try {
      schema = simplifySchema(JSON.parse(inputSchema), () => inner.addRemark('Parts of its schema are left out.'));
    } catch {
      inner.addTodo('Enter the schema of its arguments.');
    }
  }
  const isWhole = schema?.['type'] === 'object';
  const names = Object.keys(asN8nObject(schema?.['properties']));
  const whole = `{ ${names.map((name) => `${JSON.stringify(name)}: ${argumentCode(name)}`).join(', ')} }`;
  const query = `const query = ${isWhole ? whole : argumentCode('query')};`;
  const config = isPython
    ? { language: 'python', source: `query = _query = ${isWhole ? 'input' : 'input["query"]'}\n${source}` }
    : // Code with the names of n8n gives an item: what a tool returns is a field of it.
      { source: `${query}\nreturn { response: await (async () => {\n${source}\n})() };` };
  return { type: 'code', config, inputSchema: isWhole ? schema : QUERY_INPUT_SCHEMA };
}

/** The tools of an MCP server that are selected by their names, each as a node of its own. */
function expandServerTools(node: N8nNode): N8nNode[] {
  const { include, includeTools } = node.parameters;
  const names = Array.isArray(includeTools) ? includeTools.filter((one) => typeof one === 'string' && one !== '') : [];
  if (shortNodeType(node.type) !== 'mcpClientTool' || include !== 'selected' || names.length === 0) return [node];
  return names.map((name) => ({ ...node, parameters: { ...node.parameters, name, serverTool: name } }));
}

function convertServerTool(inner: NodeConversion): ConvertedToolConfig | undefined {
  const { serverTool } = inner.node.parameters;
  if (typeof serverTool !== 'string') return undefined;
  inner.addTodo('Choose a credential of the kind MCP server.');
  inner.addTodo('Enter the schema of its arguments.');
  return { type: 'mcp', config: { tool: cutWellFormed(serverTool, 200) } };
}

const TOOL_CONVERTERS: Readonly<Record<string, (inner: NodeConversion) => ConvertedToolConfig | undefined>> = {
  toolHttpRequest: convertHttpTool,
  toolWorkflow: convertWorkflowTool,
  toolCode: convertCodeTool,
  toolThink: convertOwnTool,
  toolCalculator: convertOwnTool,
  toolWikipedia: wikipediaTool,
  toolSerpApi: serpApiTool,
  mcpClientTool: convertServerTool,
};

/** A tool of n8n's package for language models as a node of a workflow. Its arguments are the item. */
function convertLoneTool(conversion: NodeConversion): ConvertedCall {
  const short = shortNodeType(conversion.node.type);
  const made = TOOL_CONVERTERS[short]?.(conversion);
  if (!made)
    return conversion.placeholder(UNSUPPORTED_TOOL_REASONS[short] ?? 'Add an HTTP request or code in its place.');
  const { type, config } = made;
  return conversion.createCall({ type, config, path: type === 'http_request' ? '.body' : '' });
}

/** How a type of tools is converted that is a node of a workflow; undefined: it is none. */
export const findLoneToolConverter = (short: string): ((conversion: NodeConversion) => ConvertedCall) | undefined =>
  Object.hasOwn(TOOL_CONVERTERS, short) ? convertLoneTool : undefined;

/** What a tool asks models for. `hasOthers`: some of it has no name that a model can be given. */
export function describeToolArguments(conversion: NodeConversion): {
  schema: Record<string, unknown> | undefined;
  hasOthers: boolean;
} {
  const { type, parameters } = conversion.node;
  const { known, hasOthers } = listModelArguments(parameters);
  const short = shortNodeType(type);
  const made =
    type.includes('langchain') && Object.hasOwn(TOOL_CONVERTERS, short) && TOOL_CONVERTERS[short]?.(conversion);
  return { schema: (made || undefined)?.inputSchema ?? argumentSchema(known), hasOthers };
}

/** Why a tool has no counterpart. */
const UNSUPPORTED_TOOL_REASONS: Readonly<Record<string, string>> = {
  toolVectorStore: 'Weft has no vector stores: call the API of yours with an HTTP request as a tool.',
  mcpClientTool:
    'Select its tools by name in n8n, or add them one by one: tools of the type MCP tool, with a credential of the kind MCP server.',
  agentTool: 'An agent is no tool in Weft: put it into a workflow, and use this workflow as the tool.',
};
