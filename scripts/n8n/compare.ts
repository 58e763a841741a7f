import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildCaseWorkflow,
  caseOutputName,
  isWorkflowCase,
  parseCases,
  type NodeCase,
  type WorkflowCase,
} from '@/import/n8n/cases/node-case';
import { findDifference } from './differences';
import type { N8nRun } from './real-n8n';
import type { WeftRun } from './weft';

/** A workflow to compare. `recorded`: what n8n gave when it was recorded. */
export interface ComparedWorkflow {
  name: string;
  exported: unknown;
  recorded?: Pick<N8nRun, 'items' | 'failure'>;
}

/** How a workflow did in Weft beside n8n. */
export type Comparison =
  | { kind: 'equal' }
  | { kind: 'n8n failed'; failure: string }
  | { kind: 'different'; node: string; difference: string; isReported: boolean };

function toComparedCase(file: string, one: NodeCase | WorkflowCase): ComparedWorkflow {
  if (isWorkflowCase(one))
    return { name: `${file}: ${one.workflow.name}`, exported: one.workflow, recorded: { failure: undefined, ...one } };
  const { type, version, shows, outputs = [], failure } = one;
  const items = Object.fromEntries(outputs.map((list, port) => [caseOutputName(port), list]));
  return {
    name: `${file}: ${type} ${version}: ${shows}`,
    exported: buildCaseWorkflow(one),
    recorded: { items, failure },
  };
}

function readWorkflows(file: string): ComparedWorkflow[] {
  const text = readFileSync(file, 'utf8');
  const { name, ext } = path.parse(file);
  if (ext === '.json') return [{ name, exported: JSON.parse(text) as unknown }];
  return parseCases(text).map((one) => toComparedCase(name, one));
}

/** Cases about callers of workflows, which tests compare: in Weft a workflow that is called is one of its own. */
export const isCalledCaseFile = (name: string): boolean => path.basename(name) === 'called.jsonl';

const isWorkflowFile = (name: string) => /\.jsonl?$/.test(name) && !isCalledCaseFile(name);

/** The workflows of a folder or of a file: exports of n8n, and lists of cases. */
export function listComparedWorkflows(place: string): ComparedWorkflow[] {
  if (isWorkflowFile(place)) return readWorkflows(place);
  return readdirSync(place)
    .filter(isWorkflowFile)
    .toSorted()
    .flatMap((name) => readWorkflows(path.join(place, name)));
}

interface Exported {
  nodes: { name: string; type: string }[];
  connections: Record<string, { main?: unknown[][] }>;
}

const isTrigger = (exported: unknown, name: string): boolean =>
  (exported as Exported).nodes.some((node) => node.name === name && /trigger$/i.test(node.type));

/** The nodes whose outputs no other node takes. */
function listLastNodes(exported: unknown): string[] {
  const { nodes, connections } = exported as Exported;
  const names = nodes.filter(({ type }) => !type.endsWith('.stickyNote')).map(({ name }) => name);
  return names.filter((name) => (connections[name]?.main ?? []).every((links) => (links ?? []).length === 0));
}

/** Compares the items of the last nodes; for a difference, names the first node that has one. */
export function compareRuns(
  { exported }: ComparedWorkflow,
  theirs: Pick<N8nRun, 'items' | 'failure'>,
  ours: WeftRun,
): Comparison {
  if (theirs.failure !== undefined && ours.failure !== undefined) return { kind: 'equal' };
  const isReported = ours.imported.report.some(({ outcome }) => outcome !== 'converted');
  const different = (node: string, difference: string): Comparison => ({
    kind: 'different',
    node,
    difference,
    isReported,
  });
  if (theirs.failure !== undefined) return { kind: 'n8n failed', failure: theirs.failure };
  const last = listLastNodes(exported);
  const find = (name: string) => findDifference(theirs.items[name] ?? [], ours.items[name] ?? []);
  const isEqual = ours.failure === undefined && last.every((name) => find(name) === undefined);
  if (isEqual) return { kind: 'equal' };
  const nodes = [...new Set([...Object.keys(theirs.items), ...last])].filter((name) => !isTrigger(exported, name));
  const found = nodes.map((name) => [name, find(name)] as const);
  const [node, difference] = found.find(([, one]) => one !== undefined) ?? ['', 'nothing'];
  return different(
    node,
    ours.failure === undefined ? (difference ?? '') : `${difference ?? ''} (failed: ${ours.failure})`,
  );
}

/** The result of a comparison as one line. */
export function writeComparison({ name }: ComparedWorkflow, comparison: Comparison): string {
  if (comparison.kind === 'equal') return `equal      ${name}`;
  if (comparison.kind === 'n8n failed') return `n8n failed ${name}: ${comparison.failure}`;
  const { node, difference, isReported } = comparison;
  return `${isReported ? 'different ' : 'SILENT    '} ${name}: ${node}${difference}`;
}
