import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { MAX_PROPOSED_TRIGGERS } from '@/contract/workflows/proposal-event';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { findNodeType } from '@/server/workflow/nodes';
import { restoreHiddenSecrets } from './hidden-secrets';
import { placeNodes, type UnplacedGraph } from './node-placement';

/** The arguments of a call have at most this many characters and levels of nesting. */
const MAX_TOOL_CALL_CHARACTERS = 512 * 1024;
const MAX_ARGUMENT_DEPTH = 60;
const MAX_SUBMITTED_NODES = 300;

/** A node as a model writes it. The model does not choose its position. */
const SubmittedNode = z.object({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  config: z.record(z.string(), z.unknown()).default({}),
  name: z.string().max(200).optional(),
  notes: z.string().max(10_000).optional(),
  disabled: z.boolean().optional(),
  retry: z.unknown().optional(),
  timeoutMs: z.number().optional(),
  repeatable: z.boolean().optional(),
  each: z.unknown().optional(),
  credentialId: z.string().max(100).nullish(),
});
type SubmittedNode = z.output<typeof SubmittedNode>;

const WorkflowSubmission = z.object({
  nodes: z.array(SubmittedNode).max(MAX_SUBMITTED_NODES).default([]),
  removed: z.array(z.string().max(100)).max(2000).default([]),
  connections: z.array(z.record(z.string(), z.unknown())).max(4000),
  triggers: z.array(z.unknown()).max(MAX_PROPOSED_TRIGGERS).optional(),
  exampleInput: z.record(z.string(), z.unknown()).optional(),
  summary: z.string().max(10_000).default(''),
});
type WorkflowSubmission = z.output<typeof WorkflowSubmission>;

/** Parses the arguments of a call, or returns why that is impossible: what a model writes is not trusted. */
export function parseCallArguments(json: string): { value: unknown } | { problem: string } {
  if (json.length > MAX_TOOL_CALL_CHARACTERS)
    return { problem: `The arguments are longer than ${MAX_TOOL_CALL_CHARACTERS} characters.` };
  try {
    const value: unknown =
      json.trim() === '' ? {} : JSON.parse(json, (key, inner: unknown) => (key === '__proto__' ? undefined : inner));
    return exceedsArgumentDepth(value)
      ? { problem: `The arguments are nested deeper than ${MAX_ARGUMENT_DEPTH} levels.` }
      : { value };
  } catch {
    return { problem: 'The arguments are not JSON. If they were cut off, submit fewer nodes.' };
  }
}

/** Iterative: hostile nesting would overflow the stack. */
function exceedsArgumentDepth(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_ARGUMENT_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** The definition that a submission results in, and the problems that are left to a person. */
export interface BuiltDefinition {
  definition: WorkflowDefinition;
  summary: string;
  /** Paths inside the definition. */
  problems: FieldIssue[];
  /** The triggers as the model writes them; undefined: it leaves them as they were proposed. */
  triggers?: unknown[] | undefined;
  /** An example of the input of a run. */
  exampleInput?: Record<string, unknown> | undefined;
}

/** The workflow and the credentials that a submission refers to. */
interface SubmissionBase {
  before: WorkflowDefinition;
  /** Ids of credentials that a node may name. */
  credentialIds: ReadonlySet<string>;
}

/**
 * Merges a submission into the workflow: nodes that it does not name stay as they are. Credentials that the model
 * invented are removed and reported. The definition still has to be validated.
 */
export function buildDefinition(
  value: unknown,
  { before, credentialIds }: SubmissionBase,
): BuiltDefinition | { issues: FieldIssue[] } {
  const parsed = WorkflowSubmission.safeParse(value, { error: explainMissingValue });
  if (!parsed.success) return { issues: toFieldErrors(parsed.error) };
  const { nodes, removed, connections, summary, triggers, exampleInput } = parsed.data;
  const given = new Map(nodes.map((node) => [node.id, node]));
  if (given.size < nodes.length) return { issues: [{ field: 'nodes', message: 'two nodes have the same id' }] };
  const kept = before.nodes.filter(({ id }) => !removed.includes(id) && !given.has(id));
  const order = new Map(before.nodes.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: { id: string }) => order.get(id) ?? Infinity;
  const all = [...kept, ...nodes].toSorted((one, other) => Math.sign(placeOf(one) - placeOf(other)) || 0);
  const graph = { nodes: all, connections: connections as NodeConnection[] } as UnplacedGraph;
  const definition = keepOtherParts(placeNodes(graph, before), before);
  const problems: FieldIssue[] = [];
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  definition.nodes = definition.nodes.map((node, index) => {
    if (!given.has(node.id)) return node;
    return cleanSubmittedNode(node, old.get(node.id), `nodes[${index}]`, { credentialIds, problems });
  });
  return { definition, summary, problems, triggers, exampleInput };
}

interface CleaningContext {
  credentialIds: ReadonlySet<string>;
  problems: FieldIssue[];
}

/**
 * Gives a node of the model the settings and secrets back that it had, and removes credentials that do not exist. The
 * nodes inside of it are treated in the same way.
 */
function cleanSubmittedNode(
  node: WorkflowNode,
  before: WorkflowNode | undefined,
  at: string,
  cleaning: CleaningContext,
): WorkflowNode {
  const { credentialId, ...rest } = node as WorkflowNode & Pick<SubmittedNode, 'credentialId'>;
  const { credentialIds, problems } = cleaning;
  const isKnown = credentialId != null && (credentialIds.has(credentialId) || before?.credentialId === credentialId);
  if (credentialId != null && !isKnown) problems.push({ field: `${at}.credentialId`, message: 'needs a credential' });
  const { inner } = findNodeType(node.type) ?? {};
  const config = Object.fromEntries(
    Object.entries(node.config).map(([name, value]) => {
      const [path, old] = [`${at}.config.${name}`, before?.config[name]];
      if (name === inner) return [name, cleanSubmittedList(value, old, `${path}.nodes`, 'nodes', cleaning)];
      if (name === 'tools')
        return [name, cleanSubmittedList({ tools: value }, { tools: old }, path, 'tools', cleaning)['tools']];
      return [name, restoreHiddenSecrets(value, old, path, problems, name)];
    }),
  );
  const settings: Partial<WorkflowNode> = before?.type === node.type ? { ...before } : {};
  // The model removes a credential with null.
  if (credentialId !== undefined) delete settings.credentialId;
  return { ...settings, ...rest, ...(isKnown ? { credentialId } : {}), config };
}

type SubmittedObject = Record<string, unknown>;
const isSubmittedObject = (value: unknown): value is SubmittedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cleans the nodes or the agent's tools in the config of a node. Anything else is left to the validation. */
function cleanSubmittedList(
  value: unknown,
  before: unknown,
  at: string,
  field: string,
  cleaning: CleaningContext,
): SubmittedObject {
  if (!isSubmittedObject(value)) return value as SubmittedObject;
  const list: unknown = value[field];
  if (!Array.isArray(list)) return value;
  const known =
    isSubmittedObject(before) && Array.isArray(before[field]) ? before[field].filter(isSubmittedObject) : [];
  const keyOf = ({ id, name }: SubmittedObject) => id ?? name;
  const items = list.map((item: unknown, index): unknown => {
    if (!isSubmittedObject(item) || !isSubmittedObject(item['config'])) return item;
    const old = known.find((one) => keyOf(one) === keyOf(item) && isSubmittedObject(one['config']));
    return cleanSubmittedNode(
      item as unknown as WorkflowNode,
      old as unknown as WorkflowNode | undefined,
      `${at}[${index}]`,
      cleaning,
    );
  });
  return { ...value, [field]: items };
}

/** Keeps the notes, and the groups with those of their nodes that still exist. */
function keepOtherParts(
  definition: WorkflowDefinition,
  { notes, groups, language }: WorkflowDefinition,
): WorkflowDefinition {
  const ids = new Set(definition.nodes.map(({ id }) => id));
  const left = (groups ?? []).flatMap((group) => {
    const nodeIds = group.nodeIds.filter((id) => ids.has(id));
    return nodeIds.length > 0 ? [{ ...group, nodeIds }] : [];
  });
  return {
    ...definition,
    ...(language ? { language } : {}),
    ...(notes ? { notes } : {}),
    ...(left.length > 0 ? { groups: left } : {}),
  };
}
