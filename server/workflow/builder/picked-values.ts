import { isDeepStrictEqual } from 'node:util';
import type { FieldChoice } from '@/contract/choices';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findBuiltInConnector } from '@/server/connectors';
import { describeOperations } from '@/server/connectors/catalogue';
import type { ConnectorChoiceSource } from '@/server/connectors/choices';
import type { WorkspaceSummary } from './workspace-summary';

/** What a service is asked for, to find out what a name stands for. */
export interface NamedChoiceQuestion {
  connectorId: string;
  source: string;
  credentialId: string;
  /** The values of the fields on which the list depends. */
  values: Record<string, string>;
  search: string;
}

/** Lists choices for a proposal. Undefined: the service, or the rights of the person, do not permit it. */
export type NamedChoiceReader = (question: NamedChoiceQuestion) => Promise<FieldChoice[] | undefined>;

interface PickedValueContext {
  before: WorkflowDefinition;
  credentials: WorkspaceSummary['credentials'];
  listChoices: NamedChoiceReader;
}

/** One proposal asks services at most this often. Further names are left to the person. */
const MAX_CHOICE_QUESTIONS = 20;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLiteralText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('{{');
/** People write #general and @ada for what services call general and ada. */
const toBareName = (text: string): string => text.trim().replace(/^[#@]/, '').toLowerCase();

/** A service that names things by what people call them takes the name as it is. */
const isNamedByLabel = (source: ConnectorChoiceSource): boolean =>
  'choices' in source || (source.label.length === 1 && source.label[0] === source.value);

/** A parameter whose value is picked. */
interface PickedParameter {
  name: string;
  source: string;
  dependsOn: readonly string[];
  uses: readonly string[];
}

function listPickedParameters(connectorId: string, operation: string): PickedParameter[] {
  const connector = findBuiltInConnector(connectorId);
  const described = connector && describeOperations(connector).find(({ id }) => id === operation);
  const properties = Object.entries((described?.parameters['properties'] ?? {}) as Record<string, Fields>);
  return properties
    .flatMap(([name, schema]): PickedParameter[] => {
      const choices = schema['x-choices'] as Omit<PickedParameter, 'name'> | undefined;
      const source = choices && connector?.choices?.[choices.source];
      return !source || isNamedByLabel(source) ? [] : [{ ...choices, uses: choices.uses ?? [], name }];
    })
    .toSorted((one, other) => one.dependsOn.length - other.dependsOn.length);
}

/**
 * Puts the ids of a service in place of the names that a model has written, and removes what the account does not have:
 * an id that nobody has listed may be invented. What is left to a person is in `problems`.
 */
export async function resolvePickedValues(
  definition: WorkflowDefinition,
  context: PickedValueContext,
): Promise<{ definition: WorkflowDefinition; problems: FieldIssue[] }> {
  const resolver = new PickedValueResolver(context);
  const nodes = await resolver.resolveNodes(definition.nodes, context.before.nodes, 'nodes');
  return { definition: { ...definition, nodes }, problems: resolver.problems };
}

class PickedValueResolver {
  readonly problems: FieldIssue[] = [];
  #questions = 0;

  constructor(private readonly context: PickedValueContext) {}

  async resolveNodes(
    nodes: readonly WorkflowNode[],
    before: readonly WorkflowNode[],
    at: string,
  ): Promise<WorkflowNode[]> {
    const resolved: WorkflowNode[] = [];
    for (const [index, node] of nodes.entries()) {
      const old = before.find(({ id }) => id === node.id);
      resolved.push(await this.#resolveNode(node, old, `${at}[${index}]`));
    }
    return resolved;
  }

  async #resolveNode(node: WorkflowNode, before: WorkflowNode | undefined, at: string): Promise<WorkflowNode> {
    const { body } = node.config;
    if (isFields(body) && Array.isArray(body['nodes'])) {
      const old = isFields(before?.config['body']) ? before.config['body']['nodes'] : undefined;
      const inner = await this.resolveNodes(
        body['nodes'] as WorkflowNode[],
        Array.isArray(old) ? (old as WorkflowNode[]) : [],
        `${at}.config.body.nodes`,
      );
      return { ...node, config: { ...node.config, body: { ...body, nodes: inner } } };
    }
    const { connectorId, operation, parameters } = node.config;
    const isCall = node.type === 'connector' && typeof connectorId === 'string' && typeof operation === 'string';
    if (!isCall || !isFields(parameters) || isDeepStrictEqual(node.config, before?.config)) return node;
    return this.#resolveCall(node, { connectorId, operation, parameters, known: before?.config['parameters'] }, at);
  }

  async #resolveCall(
    node: WorkflowNode,
    call: { connectorId: string; operation: string; parameters: Fields; known: unknown },
    at: string,
  ): Promise<WorkflowNode> {
    const { connectorId, operation } = call;
    const credentialId = node.credentialId ?? this.#findOnlyAccount(connectorId);
    let parameters = call.parameters;
    const labels: Record<string, string> = { ...node.labels };
    for (const picked of listPickedParameters(connectorId, operation)) {
      const { name } = picked;
      const given = parameters[name];
      const isKnown = isFields(call.known) && isDeepStrictEqual(call.known[name], given);
      const texts = (Array.isArray(given) ? (given as unknown[]) : [given]).filter(isLiteralText);
      if (isKnown || texts.length === 0) continue;
      const question = { connectorId, credentialId, parameters };
      const found = new Map<string, FieldChoice>();
      for (const text of texts) {
        const choice = await this.#findChoice(picked, text, question);
        if (choice) found.set(text, choice);
        else this.#leaveToPerson(`${at}.config.parameters.${name}`, text, credentialId);
      }
      const next = Array.isArray(given)
        ? (given as unknown[]).flatMap((one) => (isLiteralText(one) ? (found.get(one)?.value ?? []) : [one]))
        : found.get(texts[0] ?? '')?.value;
      const { [name]: _given, ...others } = parameters;
      const isEmpty = next === undefined || (Array.isArray(next) && next.length === 0);
      parameters = isEmpty ? others : { ...parameters, [name]: next };
      const label = Array.isArray(given) ? undefined : found.get(texts[0] ?? '')?.label;
      if (label !== undefined) labels[`parameters.${name}`] = label;
    }
    return {
      ...node,
      config: { ...node.config, parameters },
      ...(credentialId === undefined ? {} : { credentialId }),
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    };
  }

  #leaveToPerson(field: string, name: string, credentialId: string | undefined): void {
    const why = credentialId === undefined ? 'there is no account to look it up' : 'the account has none of this name';
    this.problems.push({ field, message: `needs a choice for “${name.slice(0, 100)}”: ${why}` });
  }

  #findOnlyAccount(connectorId: string): string | undefined {
    const fitting = this.context.credentials.filter((one) => one.connectorId === connectorId);
    return fitting.length === 1 ? fitting[0]?.id : undefined;
  }

  /** The only choice with this value, or else with this name. */
  async #findChoice(
    { source, dependsOn, uses }: PickedParameter,
    text: string,
    {
      connectorId,
      credentialId,
      parameters,
    }: { connectorId: string; credentialId: string | undefined; parameters: Fields },
  ): Promise<FieldChoice | undefined> {
    const values = Object.fromEntries(
      [...dependsOn, ...uses].flatMap((field): [string, string][] => {
        const value = parameters[field];
        return isLiteralText(value) || typeof value === 'number' ? [[field, String(value)]] : [];
      }),
    );
    if (credentialId === undefined || dependsOn.some((field) => !Object.hasOwn(values, field))) return undefined;
    const bare = toBareName(text);
    // A name is found by a search; an id is in the list.
    for (const search of [bare, '']) {
      if (this.#questions >= MAX_CHOICE_QUESTIONS) return undefined;
      this.#questions += 1;
      const listed = await this.context.listChoices({ connectorId, source, credentialId, values, search });
      if (!listed) return undefined;
      const same = listed.find(({ value }) => String(value) === text);
      const named = listed.filter(({ label }) => toBareName(label) === bare);
      if (same) return same;
      if (named.length > 0) return named.length === 1 ? named[0] : undefined;
    }
    return undefined;
  }
}
