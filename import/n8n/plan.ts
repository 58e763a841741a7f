import type { ImportFinding } from '@/contract/workflows/n8n-import';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { callsItself, OWN_WORKFLOW, type CalledWorkflows } from './called-workflows';
import { importN8n, type ImportedWorkflow } from './convert';
import { asN8nObject, asN8nObjects, cutWellFormed, isN8n } from './file';
import { splitServedTools } from './served-tools';
import { readPinnedOutputs, recordN8nRuns, recordPinnedTest, type RecordedTest } from './proof/recorded-tests';
import { importTrafficLight, listImportFindings, type TrafficLight } from './report/findings';
import { keepN8nNodes, type KeptN8nNode } from './report/kept-nodes';

/** Everything that is created for a workflow of n8n. */
export interface N8nImportPlan extends Omit<ImportedWorkflow, 'report'> {
  light: TrafficLight;
  /** The workflows that are created beside it: the tools that it offers in n8n. */
  further: N8nImportPlan[];
  tags: string[];
  /** The folder, or the project of a team, that has it in n8n; null: none. */
  folder: string | null;
  pins: { nodeId: string; output: unknown }[];
  tests: RecordedTest[];
  /** Runs that cannot be repeated: without data, or too large. */
  runsLeftOut: number;
  /** For a workflow that calls itself: its definition, once it has an id. For a further one, once the first one has an id. */
  linkToItself: ((id: string) => WorkflowDefinition) | null;
  record: {
    source: 'n8n';
    url: string | null;
    sourceId: string | null;
    wasActive: boolean;
    nodes: KeptN8nNode[];
    report: ImportFinding[];
  };
}

interface PlanOptions {
  url?: string | null;
  runs?: readonly unknown[];
  workflows?: CalledWorkflows;
}

/**
 * Converts a workflow of n8n with its pinned data and runs. One that offers tools over MCP becomes several. Throws
 * N8nImportError, and nothing else.
 */
export function planN8nImport(file: unknown, options: PlanOptions = {}): N8nImportPlan {
  const { main, tools } = splitServedTools(file);
  const [first, ...others] = main === undefined ? tools : [main, ...tools];
  const plan = planOneWorkflow(first, options);
  const further = others.map((tool) => {
    const made = planOneWorkflow(tool, { url: options.url, workflows: options.workflows }, plan.calledStartId);
    return { ...made, record: { ...made.record, sourceId: null } };
  });
  return { ...plan, further };
}

/** `calledStartId`: where calls of the first workflow begin, for a further one. */
function planOneWorkflow(
  file: unknown,
  { url = null, runs = [], workflows }: PlanOptions,
  calledStartId: string | null = null,
): N8nImportPlan {
  const { report, ...imported } = importN8n(file, workflows);
  const { definition } = imported;
  const findings = listImportFindings(file, { report, definition });
  const { id, active, tags } = asN8nObject(file);
  const { tests, leftOut } = recordN8nRuns(file, definition, runs);
  const pinned = recordPinnedTest(file, definition);
  return {
    ...imported,
    light: importTrafficLight(findings),
    further: [],
    tags: readTags(tags),
    folder: readFolder(file),
    pins: readPinnedOutputs(file, definition),
    tests: pinned ? [...tests, pinned] : tests,
    runsLeftOut: leftOut,
    linkToItself: callsItself(file)
      ? (workflowId) =>
          importN8n(file, new Map([...(workflows ?? []), [OWN_WORKFLOW, { workflowId, startNodeId: calledStartId }]]))
            .definition
      : null,
    record: {
      source: 'n8n',
      url,
      sourceId: typeof id === 'string' && id !== '' ? cutWellFormed(id, 200) : null,
      wasActive: active === true,
      nodes: keepN8nNodes(file, definition),
      report: findings.slice(0, 2000),
    },
  };
}

function readTags(tags: unknown): string[] {
  const names = (Array.isArray(tags) ? (tags as unknown[]) : []).map((tag) =>
    typeof tag === 'string' ? tag : asN8nObject(tag)['name'],
  );
  const texts = names.flatMap((name) => (typeof name === 'string' ? [cutWellFormed(name.trim(), 50).trim()] : []));
  return [...new Set(texts.filter(Boolean))].slice(0, 20);
}

function readFolder(file: unknown): string | null {
  const { parentFolder, shared } = asN8nObject(file);
  const team = asN8nObjects(shared)
    .map(({ project }) => asN8nObject(project))
    .find(({ type }) => type === 'team');
  const names = [asN8nObject(parentFolder)['name'], team?.['name']];
  const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  return name === undefined ? null : cutWellFormed(name.trim(), 100).trim();
}

/** The workflows in a parsed file: one, a list of them, or a backup that has them in `workflows` or `data`. */
export function listN8nWorkflows(value: unknown): unknown[] {
  if (isN8n(value)) return [value];
  const { workflows, data } = asN8nObject(value);
  const list = [value, workflows, data].find((one): one is unknown[] => Array.isArray(one)) ?? [];
  return list.filter((one) => isN8n(one));
}
