import type { Definition, Note } from '@/contract/workflows/workflow';
import type { Outcome } from './conversion';
import { cut, N8nImportError, readN8n, type N8nFile, type N8nNode } from './file';
import { Graph } from './graph';
import { isTrigger, shortType, triggerOf } from './starts/starts';
import type { Trigger } from './starts/trigger';

/** What became of one node of n8n. */
export interface ReportEntry {
  node: string;
  /** The type, without the package. */
  type: string;
  outcome: Outcome;
  /** What people have to know or to do, in sentences; empty: nothing. */
  message: string;
}

/** A workflow of n8n as one of Weft. */
export interface ImportedWorkflow {
  name: string;
  definition: Definition;
  triggers: Trigger[];
  settings: { timeZone?: string };
  report: ReportEntry[];
}

/** n8n's nodes are closer to each other. */
const SCALE = { x: 1.6, y: 1.3 };
const MAX_BYTES = 1024 * 1024;
const MAX_NOTES = 300;

/** Converts a parsed export of n8n. Throws N8nImportError, and nothing else. */
export function importN8n(value: unknown): ImportedWorkflow {
  const file = placed(readN8n(value));
  const timeZone = zoneOf(file);
  const steps = file.nodes.filter(({ type }) => shortType(type) !== 'stickyNote');
  const triggers = steps.filter(isTrigger).map((node) => ({ node, ...triggerOf(node, timeZone) }));
  const graph = new Graph(file, triggers);
  const definition = graph.definition();
  const report: ReportEntry[] = steps.map(({ name, type }) => {
    const trigger = triggers.find(({ node }) => node.name === name);
    const found = trigger
      ? { outcome: trigger.isWhole ? ('converted' as const) : ('partly' as const), message: trigger.message }
      : graph.said(name);
    return { node: cut(name, 200), type: cut(shortType(type), 100), outcome: found.outcome, message: found.message };
  });
  const starts = new Set(triggers.map(({ node }) => targetsOf(file, node.name)));
  if (starts.size > 1) {
    const last = report.findLast(({ node }) => triggers.some((one) => cut(one.node.name, 200) === node));
    const warning = 'Its triggers lead to different nodes: every run begins at all of them. Make a workflow for each.';
    if (last) Object.assign(last, { outcome: 'partly', message: `${last.message} ${warning}`.trim() });
  }
  const notes = [...stickyNotes(file, graph), ...reportNote(report, definition, graph)];
  const whole = notes.length > 0 ? { ...definition, notes } : definition;
  if (new TextEncoder().encode(JSON.stringify(whole)).length > MAX_BYTES) {
    throw new N8nImportError('The workflow is larger than 1 MiB, which is the limit of a workflow.');
  }
  return {
    name: cut(file.name.trim(), 200),
    definition: whole,
    triggers: triggers.flatMap((one) => one.triggers).slice(0, 50),
    settings: timeZone ? { timeZone } : {},
    report,
  };
}

const targetsOf = ({ links }: N8nFile, name: string): string =>
  links
    .filter(({ from }) => from === name)
    .map(({ to }) => to)
    .toSorted()
    .join('\n');

const placed = (file: N8nFile): N8nFile => ({
  ...file,
  nodes: file.nodes.map((node) => ({
    ...node,
    position: { x: Math.round(node.position.x * SCALE.x), y: Math.round(node.position.y * SCALE.y) },
  })),
});

/** The time zone of the file, if it is one. */
function zoneOf({ settings }: N8nFile): string | undefined {
  const { timezone } = settings;
  if (typeof timezone !== 'string' || timezone === 'DEFAULT' || timezone.length > 100) return undefined;
  try {
    return Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const sideOf = (value: unknown, otherwise: number, scale: number) =>
  Math.round((typeof value === 'number' && value >= 50 && value <= 5000 ? value : otherwise) * scale);

const stickyNotes = ({ nodes }: N8nFile, graph: Graph): Note[] =>
  nodes
    .filter(({ type }) => shortType(type) === 'stickyNote')
    .slice(0, MAX_NOTES)
    .map(({ position, parameters }: N8nNode) => ({
      id: graph.idOf('note'),
      position,
      size: { width: sideOf(parameters['width'], 240, SCALE.x), height: sideOf(parameters['height'], 160, SCALE.y) },
      text: cut(typeof parameters['content'] === 'string' ? parameters['content'] : '', 10_000),
      color: 'gray',
    }));

const MOST = 40;

/** The nodes that need attention, above the others. */
function reportNote(report: readonly ReportEntry[], { nodes }: Definition, graph: Graph): Note[] {
  const open = report.filter(({ outcome }) => outcome !== 'converted');
  if (open.length === 0) return [];
  const shown = open
    .slice(0, MOST)
    .map(({ node, message }) => `- **${escaped(cut(node, 100))}**: ${escaped(cut(message, 150))}`);
  const rest = open.length > MOST ? [`- and ${open.length - MOST} more`] : [];
  const height = Math.min(90 + open.length * 32, 1200);
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => position.y)) - height - 80;
  const text = cut(['**Imported from n8n: review these nodes**', ...shown, ...rest].join('\n'), 10_000);
  return [{ id: graph.idOf('imported'), position: { x, y }, size: { width: 640, height }, text, color: 'yellow' }];
}

/** Names and texts of a file are data, also in Markdown. */
const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|!]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
