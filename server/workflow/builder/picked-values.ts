import { isDeepStrictEqual } from 'node:util';
import type { FieldChoice } from '@/contract/choices';
import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findNodeType } from '@/server/workflow/nodes';
import type { ChoiceLookup } from './choice-lookup';
import { listPickedParameters, type PickedParameter } from './picked-parameters';

/** Fields that a model has written, or that are stored. */
export type WrittenFields = Record<string, unknown>;
export const isWrittenFields = (value: unknown): value is WrittenFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A call of a connector, in a node or in a trigger, whose parameters may have names in place of ids. */
export interface NamedCall {
  connectorId: string;
  /** Which of its operations or events. */
  called: { operation: string } | { event: string };
  parameters: WrittenFields;
  credentialId: string | undefined;
  /** The same call as it was before: what it has is no invention. */
  before: { parameters: WrittenFields; credentialId: string | undefined } | undefined;
}

interface ResolvedCall {
  parameters: WrittenFields;
  credentialId: string | undefined;
  /** By the names of parameters. */
  labels: Record<string, string>;
}

/** A text or a number that stands for something; an expression computes it. */
const isLiteral = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !value.includes('{{'));

/** The parts of a value: of a list, or of a text with separators. A text with an expression is one part. */
function splitValue(value: unknown, separator: string | undefined): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  // A part in quotes may have a separator in it: "Lovelace, Ada" <ada@example.com>.
  if (separator === undefined || typeof value !== 'string' || /\{\{|"/.test(value)) return [value];
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Services take some ids as numbers, and others as texts. */
function fitChoiceValue({ value }: FieldChoice, { type }: PickedParameter): string | number {
  if (type === 'text') return String(value);
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/**
 * Puts the ids of a service in place of the names that a model has written, and removes what the account does not have:
 * an id that nobody has listed may be invented. What is left to a person is in `problems`.
 */
export class PickedValueResolver {
  readonly problems: FieldIssue[] = [];

  constructor(private readonly lookup: ChoiceLookup) {}

  async resolveDefinition(definition: WorkflowDefinition, before: WorkflowDefinition): Promise<WorkflowDefinition> {
    return { ...definition, nodes: await this.#resolveNodes(definition.nodes, before.nodes, 'nodes') };
  }

  async #resolveNodes(nodes: readonly WorkflowNode[], before: unknown, at: string): Promise<WorkflowNode[]> {
    const known = Array.isArray(before) ? (before as unknown[]).filter(isWrittenFields) : [];
    const resolved: WorkflowNode[] = [];
    for (const [index, node] of nodes.entries())
      resolved.push(
        await this.#resolveNode(
          node,
          known.find(({ id }) => id === node.id),
          `${at}[${index}]`,
        ),
      );
    return resolved;
  }

  async #resolveNode(node: WorkflowNode, before: WrittenFields | undefined, at: string): Promise<WorkflowNode> {
    const { inner } = findNodeType(node.type) ?? {};
    const body = inner === undefined ? undefined : node.config[inner];
    if (inner !== undefined && isWrittenFields(body) && Array.isArray(body['nodes'])) {
      const old = isWrittenFields(before?.['config']) ? before['config'][inner] : undefined;
      const nodes = body['nodes'] as WorkflowNode[];
      const resolved = await this.#resolveNodes(
        nodes,
        isWrittenFields(old) ? old['nodes'] : [],
        `${at}.config.${inner}.nodes`,
      );
      return { ...node, config: { ...node.config, [inner]: { ...body, nodes: resolved } } };
    }
    if (Array.isArray(node.config['tools'])) return this.#resolveTools(node, before, at);
    const resolved = await this.resolveConnectorNode(node, before, `${at}.config`);
    const labels = { ...node.labels, ...resolved.labels };
    return {
      ...node,
      config: resolved.config,
      ...(resolved.credentialId === undefined ? {} : { credentialId: resolved.credentialId }),
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    };
  }

  /** The tools of an agent, whose labels are those of the agent. */
  async #resolveTools(agent: WorkflowNode, before: WrittenFields | undefined, at: string): Promise<WorkflowNode> {
    const config = isWrittenFields(before?.['config']) ? before['config'] : {};
    const known = Array.isArray(config['tools']) ? (config['tools'] as unknown[]).filter(isWrittenFields) : [];
    const labels: Record<string, string> = { ...agent.labels };
    const tools: unknown[] = [];
    for (const [index, tool] of (agent.config['tools'] as unknown[]).entries()) {
      if (!isWrittenFields(tool) || !isWrittenFields(tool['config'])) {
        tools.push(tool);
        continue;
      }
      const old = known.find(({ name }) => name === tool['name']);
      const written = { type: tool['type'], config: tool['config'], credentialId: tool['credentialId'] };
      const resolved = await this.resolveConnectorNode(written, old, `${at}.config.tools[${index}].config`);
      const { credentialId } = resolved;
      tools.push({ ...tool, config: resolved.config, ...(credentialId === undefined ? {} : { credentialId }) });
      for (const [path, label] of Object.entries(resolved.labels)) labels[`tools[${index}].${path}`] = label;
    }
    return {
      ...agent,
      config: { ...agent.config, tools },
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    };
  }

  /** A node, a tool or the source of a poll that calls a connector; anything else stays as it is. `at`: its config. */
  async resolveConnectorNode(
    { type, config, credentialId }: { type: unknown; config: WrittenFields; credentialId?: unknown },
    before: WrittenFields | undefined,
    at: string,
  ): Promise<{ config: WrittenFields; credentialId: string | undefined; labels: Record<string, string> }> {
    const account = typeof credentialId === 'string' ? credentialId : undefined;
    const { connectorId, operation, parameters } = config;
    const isCall = type === 'connector' && typeof connectorId === 'string' && typeof operation === 'string';
    if (!isCall || !isWrittenFields(parameters)) return { config, credentialId: account, labels: {} };
    const call = { connectorId, called: { operation }, parameters, credentialId: account };
    const old = isWrittenFields(before?.['config']) ? before['config'] : {};
    const isSame = old['connectorId'] === connectorId && old['operation'] === operation;
    const known = isSame && isWrittenFields(old['parameters']) ? old['parameters'] : undefined;
    const oldAccount = typeof before?.['credentialId'] === 'string' ? before['credentialId'] : undefined;
    const resolved = await this.resolveCall(
      { ...call, before: known && { parameters: known, credentialId: oldAccount } },
      `${at}.parameters`,
    );
    return {
      config: { ...config, parameters: resolved.parameters },
      credentialId: resolved.credentialId,
      labels: Object.fromEntries(
        Object.entries(resolved.labels).map(([name, label]) => [`parameters.${name}`, label] as const),
      ),
    };
  }

  /** The parameters of a call with ids in place of names. `at`: the path of its parameters. */
  async resolveCall(call: NamedCall, at: string): Promise<ResolvedCall> {
    let { credentialId, parameters } = call;
    const labels: Record<string, string> = {};
    for (const picked of listPickedParameters(call.connectorId, call.called)) {
      const { name, separator } = picked;
      const given = call.parameters[name];
      const parts = splitValue(given, separator);
      if (!parts.some(isLiteral) || isKnownValue(call, picked)) continue;
      const account = credentialId === undefined ? this.lookup.findOnlyAccount(call.connectorId) : { credentialId };
      if (typeof account !== 'string') ({ credentialId } = account);
      const kept: unknown[] = [];
      let label: string | undefined;
      for (const part of parts) {
        if (!isLiteral(part) || (picked.takesAddresses && String(part).includes('@'))) {
          kept.push(part);
          continue;
        }
        const found =
          typeof account === 'string'
            ? account
            : await this.#findChoice({ ...call, ...account, parameters }, picked, String(part));
        if (typeof found === 'string')
          this.problems.push({
            field: `${at}.${name}`,
            message: `needs a choice for “${String(part).slice(0, 100)}”: ${found}`,
          });
        else {
          kept.push(fitChoiceValue(found.choice, picked));
          label = found.choice.label;
        }
      }
      const { [name]: _given, ...others } = parameters;
      const value = Array.isArray(given) ? kept : separator === undefined ? kept[0] : kept.join(separator);
      parameters = kept.length === 0 ? others : { ...parameters, [name]: value };
      if (label !== undefined && kept.length === 1 && !Array.isArray(given)) labels[name] = label;
    }
    return { parameters, credentialId, labels };
  }

  async #findChoice(
    { connectorId, parameters, credentialId }: NamedCall & { credentialId: string },
    { source, isSearched, dependsOn, uses }: PickedParameter,
    text: string,
  ): Promise<{ choice: FieldChoice } | string> {
    const values = Object.fromEntries(
      [...dependsOn, ...uses].flatMap((field): [string, string][] => {
        const value = parameters[field];
        return isLiteral(value) || typeof value === 'boolean' ? [[field, String(value)]] : [];
      }),
    );
    if (dependsOn.some((field) => !Object.hasOwn(values, field)))
      return 'what it belongs to is not chosen, or is computed when the workflow runs';
    return this.lookup.find({ connectorId, source, isSearched, credentialId, values }, text);
  }
}

/** It was so before, in the same account and in the same things. */
function isKnownValue({ parameters, credentialId, before }: NamedCall, picked: PickedParameter): boolean {
  if (!before || (credentialId !== undefined && credentialId !== before.credentialId)) return false;
  return [picked.name, ...picked.dependsOn, ...picked.uses].every((field) =>
    isDeepStrictEqual(parameters[field], before.parameters[field]),
  );
}
