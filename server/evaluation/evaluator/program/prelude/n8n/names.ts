import { PreludeFailure } from './failure';
import { N8nItemScope } from './item-scope';
import { NodeAccess, NodeOutputs } from './node-access';
import { createNodeCalls } from './node-calls';
import { searchJmesPath } from './jmespath/search';
import { SHORT_FUNCTIONS } from './short-functions';
import type { N8nNodeFacts, RealmData } from './realm-data';

/** The part of luxon that the names of n8n use. */
interface DateTimeType {
  now(): { set(units: object): unknown };
}
declare const DateTime: DateTimeType;

const NO_FACTS: N8nNodeFacts = {
  names: {},
  node: '',
  previous: null,
  workflow: { id: '', name: null },
  serviceUrl: '',
  round: 0,
  isTest: false,
};
const TODAY = { hour: 0, minute: 0, second: 0, millisecond: 0 };

const refuse = (name: string, reason: string): never => {
  throw new PreludeFailure(`${name} is not available: ${reason}`);
};

function searchData(data: unknown, query: unknown): unknown {
  if (typeof data !== 'object' || typeof query !== 'string')
    throw new PreludeFailure('expected two arguments (Object, string) for this function');
  return searchJmesPath(data, query);
}

/** The names of n8n for the data of a node. What they give is computed when it is read. */
export function createNames(data: RealmData): { names: Record<string, unknown>; scope: N8nItemScope } {
  const facts = data.prelude ?? NO_FACTS;
  const outputs = new NodeOutputs(data, facts);
  const scope = new N8nItemScope(data);
  const access = (name: unknown) => new NodeAccess(String(name), outputs, data);
  const input = {
    all: () => scope.items,
    first: () => scope.items[0],
    last: () => scope.items.at(-1),
    get item() {
      return scope.item;
    },
    get params() {
      return refuse('$input.params', 'parameters of other nodes can not be read');
    },
    context: {},
  };
  const former = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? access(name).asFormer() : undefined) });
  const nodes = new Proxy({}, { get: (_, id) => (typeof id === 'string' ? outputs.read(id) : undefined) });
  const { execution } = data;
  const resumeUrls = Object.values(execution?.resumeUrls ?? {});
  const isFormUrl = (url: string) => url.includes('/forms/runs/');
  const resumeUrl = resumeUrls.find((url) => !isFormUrl(url)) ?? resumeUrls[0] ?? '';
  const resumeFormUrl = resumeUrls.find(isFormUrl) ?? resumeUrl;
  const names = {
    get input() {
      return data.item ?? data.input;
    },
    get item() {
      return data.item === undefined ? scope.item : data.item;
    },
    get items() {
      return data.item === undefined ? scope.items : (data.items ?? [data.item]);
    },
    get index() {
      return scope.index;
    },
    nodes,
    paired: data.paired ?? {},
    execution,
    vars: data.vars ?? {},
    n8n: createNodeCalls(scope, data.paired ?? {}),
    get $json() {
      return scope.item.json;
    },
    get $data() {
      return scope.item.json;
    },
    get $binary() {
      return scope.item.binary ?? {};
    },
    $input: input,
    $: access,
    $node: former,
    $item: (at: number) => ({
      get $json() {
        return scope.items[at]?.json;
      },
      get $binary() {
        return scope.items[at]?.binary ?? {};
      },
      $node: new Proxy({}, { get: (_, name) => (typeof name === 'string' ? access(name).asFormer(at) : undefined) }),
    }),
    $items: (name?: unknown) => (name === undefined ? scope.items : access(name).all()),
    get $now() {
      return DateTime.now();
    },
    get $today() {
      return DateTime.now().set(TODAY);
    },
    $vars: data.vars ?? {},
    // The environment of n8n is no part of Weft: variables take its place. The address of n8n is that of the service.
    $env: { WEBHOOK_URL: `${facts.serviceUrl}/`, ...data.vars },
    get $secrets() {
      return refuse('$secrets', 'choose a credential');
    },
    $execution: {
      id: execution?.id ?? '',
      mode: facts.isTest ? 'test' : 'production',
      resumeUrl,
      resumeFormUrl,
    },
    $workflow: {
      id: facts.workflow.id,
      get name() {
        return facts.workflow.name ?? refuse('$workflow.name', 'write the name of the workflow');
      },
      active: true,
    },
    $prevNode: { name: facts.previous ?? '', outputIndex: 0, runIndex: 0 },
    $runIndex: facts.round,
    get $itemIndex() {
      return scope.index;
    },
    get $position() {
      return scope.index;
    },
    get $parameter() {
      return refuse('$parameter', 'write the value of the parameter');
    },
    get $mode() {
      return facts.isTest ? 'manual' : 'trigger';
    },
    $jmespath: searchData,
    $if: (condition: unknown, one: unknown, other: unknown = false) => (condition ? one : other),
    $resumeWebhookUrl: resumeUrl,
    ...SHORT_FUNCTIONS,
    $fromAI: (name: string, _description?: string, _type?: string, otherwise?: unknown) => {
      const given = data.input as Record<string, unknown> | undefined;
      return given?.[name] ?? otherwise;
    },
  };
  Object.defineProperty(names, '$fromAi', { value: names.$fromAI, enumerable: true });
  Object.defineProperty(names, '$fromai', { value: names.$fromAI, enumerable: true });
  Object.defineProperty(names, '$jmesPath', { value: names.$jmespath, enumerable: true });
  // Fields with names of their own, such as what ends a loop, keep them.
  for (const [name, value] of Object.entries(data)) if (!(name in names)) Object.assign(names, { [name]: value });
  return { names, scope };
}
