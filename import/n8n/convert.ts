import type { WorkflowDefinition, CanvasNote, WorkflowSettings } from '@/contract/workflows/workflow';
import type { CalledWorkflows } from './called-workflows';
import { cutWellFormed, N8nImportError, readN8nExport, type N8nFile, type N8nNode } from './file';
import { ItemBuilder, type TriggerNode } from './items/item-builder';
import {
  addFirstItemAnswers,
  answerByNode,
  answersFirstItem,
  givesLastResult,
  joinLastResults,
} from './items/last-nodes';
import { readToolDescription } from './nodes/ai/tools';
import { describeIdleNode, findUnreachedNodes } from './report/idle-nodes';
import { markLostExpressions } from './report/lost-expressions';
import { markOpenNodes } from './report/open-nodes';
import type { ImportReportEntry } from './report/report-entry';
import { convertErrorTrigger } from './starts/error-trigger';
import { isTriggerNode, shortNodeType, convertTrigger } from './starts/convert-trigger';
import { findServedTool } from './served-tools';
import type { ConvertedTrigger, ImportedTrigger } from './starts/trigger';

/** A workflow of n8n as one of Weft. */
export interface ImportedWorkflow {
  name: string;
  definition: WorkflowDefinition;
  triggers: ImportedTrigger[];
  description: string;
  settings: Partial<Pick<WorkflowSettings, 'timeZone' | 'isTool' | 'startNodeId' | 'errorWorkflowId'>>;
  /** The start node at which calls by other workflows begin; null: there is no other. */
  calledStartId: string | null;
  report: ImportReportEntry[];
}

/** Positions are stretched, because the cards of n8n are smaller. */
const POSITION_SCALE = { x: 1.6, y: 1.3 };
const MAX_IMPORTED_BYTES = 1024 * 1024;
const MAX_STICKY_NOTES = 300;

/**
 * Converts a parsed export of n8n. `workflows`: those that it may call. By OWN_WORKFLOW it gets its own id, if it has one.
 * Throws N8nImportError, and nothing else.
 */
export function importN8n(value: unknown, workflows?: CalledWorkflows): ImportedWorkflow {
  const file = scalePositions(readN8nExport(value));
  const timeZone = readN8nTimeZone(file);
  const steps = file.nodes.filter(({ type }) => shortNodeType(type) !== 'stickyNote');
  const nodes = steps.filter(isTriggerNode);
  const [served] = nodes.flatMap((node) => findServedTool(file, node) ?? []);
  const answering = nodes.filter(answersFirstItem);
  const { file: joined, isExact } = joinLastResults(file, nodes);
  const { file: answered, isAnswered } = addFirstItemAnswers(joined, answering);
  const hasPages = steps.some(({ type }) => type === 'n8n-nodes-base.form');
  const triggers = nodes.map((node): TriggerNode => {
    const given =
      shortNodeType(node.type) === 'errorTrigger'
        ? convertErrorTrigger(file.nodes)
        : findServedTool(file, node)
          ? SERVED_START
          : convertTrigger(node, timeZone, hasPages);
    const converted = { node, ...given };
    if (!isAnswered || !answering.includes(node)) return converted;
    return { ...converted, triggers: converted.triggers.map(answerByNode) };
  });
  const graph = new ItemBuilder(answered, triggers, workflows);
  const definition = markLostExpressions(graph.buildDefinition());
  const unreached = findUnreachedNodes(file, nodes);
  const report: ImportReportEntry[] = steps.map((step) => {
    const { name, type } = step;
    const trigger = triggers.find(({ node }) => node.name === name);
    const found = trigger
      ? describeTrigger(trigger, isExact ? undefined : describeOpenResult(trigger.node))
      : describeIdleNode(graph.conversionResult(name), step, unreached.has(name));
    return {
      node: cutWellFormed(name, 200),
      type: cutWellFormed(shortNodeType(type), 100),
      outcome: found.outcome,
      message: found.message,
      knowledge: found.knowledge,
      choices: found.choices,
    };
  });
  const errorStartId = graph.findOwnStart('errorTrigger');
  const { errorWorkflow } = file.settings;
  const isWatched = typeof errorWorkflow === 'string' && errorWorkflow !== '' && errorWorkflow !== 'DEFAULT';
  const errorWorkflowId = isWatched ? workflows?.get(errorWorkflow)?.workflowId : undefined;
  const notes = [...convertStickyNotes(file, graph), ...buildReportNote(report, definition, graph)];
  const isStep = ({ node }: ImportReportEntry) => !nodes.some(({ name }) => cutWellFormed(name, 200) === node);
  const marked = markOpenNodes(definition, report.filter(isStep));
  if (isWatched && errorWorkflowId === undefined) report.push(OPEN_ERROR_WORKFLOW);
  const whole = notes.length > 0 ? { ...marked, notes } : marked;
  if (new TextEncoder().encode(JSON.stringify(whole)).length > MAX_IMPORTED_BYTES) {
    throw new N8nImportError('The workflow is larger than 1 MiB, which is the limit of a workflow.');
  }
  return {
    name: cutWellFormed(file.name.trim(), 200),
    definition: whole,
    triggers: graph.placeTriggers().slice(0, 50),
    description: served ? readToolDescription(served) : '',
    settings: {
      ...(timeZone ? { timeZone } : {}),
      ...(served ? { isTool: true } : {}),
      ...(errorStartId === null ? {} : { startNodeId: errorStartId }),
      ...(errorWorkflowId === undefined ? {} : { errorWorkflowId }),
    },
    calledStartId: graph.findOwnStart('executeWorkflowTrigger'),
    report,
  };
}

/** The start of a workflow that is a tool. */
const SERVED_START: ConvertedTrigger = {
  triggers: [],
  isWhole: true,
  message:
    'Once it is active, programs find it as a tool at the address of MCP of the workspace, with an API key. The address and the authentication of n8n are left out.',
  names: new Map(),
};

const IMPORT_ERROR_WORKFLOW = 'Import its error workflow, too, or choose another in the settings.';
const OPEN_ERROR_WORKFLOW: ImportReportEntry = {
  node: 'Settings',
  type: 'settings',
  outcome: 'partly',
  message: IMPORT_ERROR_WORKFLOW,
  knowledge: [],
  choices: [{ field: 'settings.errorWorkflowId', sentence: IMPORT_ERROR_WORKFLOW }],
};

const SEVERAL_ANSWERS = 'Check what it answers: the first of its last nodes that runs, in n8n the last one.';
const SEVERAL_RESULTS =
  'Check what callers get: the items of all its last nodes, in n8n those of the last one that runs.';

/** What is to check because callers get what the last node gives, and several may be the last. */
const describeOpenResult = (trigger: N8nNode): string | undefined => {
  if (!givesLastResult(trigger)) return undefined;
  return shortNodeType(trigger.type) === 'executeWorkflowTrigger' ? SEVERAL_RESULTS : SEVERAL_ANSWERS;
};

/** What the report says of a trigger. `task`: what is to check because of its last nodes. */
const describeTrigger = (
  { isWhole, message, knowledge = [], choices = [] }: TriggerNode,
  task: string | undefined,
) => ({
  outcome: isWhole && task === undefined ? ('converted' as const) : ('partly' as const),
  message: [message, task].filter(Boolean).join(' '),
  knowledge,
  choices,
});

const scalePositions = (file: N8nFile): N8nFile => ({
  ...file,
  nodes: file.nodes.map((node) => ({
    ...node,
    position: { x: Math.round(node.position.x * POSITION_SCALE.x), y: Math.round(node.position.y * POSITION_SCALE.y) },
  })),
});

/** The time zone of the file, if it is one. */
function readN8nTimeZone({ settings }: N8nFile): string | undefined {
  const { timezone } = settings;
  if (typeof timezone !== 'string' || timezone === 'DEFAULT' || timezone.length > 100) return undefined;
  try {
    return Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const scaledNoteSide = (value: unknown, otherwise: number, scale: number) =>
  Math.round((typeof value === 'number' && value >= 50 && value <= 5000 ? value : otherwise) * scale);

const convertStickyNotes = ({ nodes }: N8nFile, graph: Pick<ItemBuilder, 'createId'>): CanvasNote[] =>
  nodes
    .filter(({ type }) => shortNodeType(type) === 'stickyNote')
    .slice(0, MAX_STICKY_NOTES)
    .map(({ position, parameters }: N8nNode) => ({
      id: graph.createId('note'),
      position,
      size: {
        width: scaledNoteSide(parameters['width'], 240, POSITION_SCALE.x),
        height: scaledNoteSide(parameters['height'], 160, POSITION_SCALE.y),
      },
      text: cutWellFormed(typeof parameters['content'] === 'string' ? parameters['content'] : '', 10_000),
      color: 'gray',
    }));

const MAX_REPORTED_NODES = 40;

/** The nodes that need attention, above the others. */
function buildReportNote(
  report: readonly ImportReportEntry[],
  { nodes }: WorkflowDefinition,
  graph: Pick<ItemBuilder, 'createId'>,
): CanvasNote[] {
  const open = report.filter(({ outcome }) => outcome !== 'converted');
  if (open.length === 0) return [];
  const shown = open
    .slice(0, MAX_REPORTED_NODES)
    .map(
      ({ node, message }) =>
        `- **${escapeMarkdownText(cutWellFormed(node, 100))}**: ${escapeMarkdownText(cutWellFormed(message, 150))}`,
    );
  const rest = open.length > MAX_REPORTED_NODES ? [`- and ${open.length - MAX_REPORTED_NODES} more`] : [];
  const height = Math.min(90 + open.length * 32, 1200);
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y)) - height - 80;
  const text = cutWellFormed(['**Imported from n8n: review these nodes**', ...shown, ...rest].join('\n'), 10_000);
  return [{ id: graph.createId('imported'), position: { x, y }, size: { width: 640, height }, text, color: 'yellow' }];
}

/** Escapes a text for Markdown, because names and texts of the file are data. */
const escapeMarkdownText = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>#|!]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
