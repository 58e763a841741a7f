import type { ConvertedField } from '@/contract/workflows/converted-field';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, cutWellFormed } from '../file';
import { leaveOutAccountTasks } from './findings';
import { leaveOutKnowledge, type ImportReportEntry } from './report-entry';

/**
 * Marks each node with a task that is more than an account, and the fields that are to fill: the workflow cannot be
 * published before they are looked at.
 */
export function markOpenNodes(
  definition: WorkflowDefinition,
  report: readonly ImportReportEntry[],
): WorkflowDefinition {
  const names = new Set(listNodeNames(definition));
  const marks = new Map(
    report.flatMap(({ node, outcome, message, knowledge, choices = [] }): [string, ConvertedField[]][] => {
      const tasks = outcome === 'partly' ? leaveOutKnowledge({ message, knowledge, choices }) : message;
      const rest = outcome === 'partly' || outcome === 'placeholder' ? leaveOutAccountTasks(tasks) : '';
      const fields = choices.map(({ field, sentence }) => createMark(field, sentence));
      // The node that has the fields of a call stands before the one with n8n's name.
      const calling = `${node}: call`;
      const own = rest === '' ? [] : [createMark('config', rest)];
      const all: [string, ConvertedField[]][] = names.has(calling)
        ? [
            [node, own],
            [calling, fields],
          ]
        : [[node, [...own, ...fields]]];
      return all.filter(([, open]) => open.length > 0);
    }),
  );
  return markLevel(definition, marks);
}

const listNodeNames = ({ nodes }: WorkflowDefinition): string[] =>
  nodes.flatMap(({ name = '', config }) => {
    const { body } = config;
    return [name, ...(Array.isArray(asN8nObject(body)['nodes']) ? listNodeNames(body as WorkflowDefinition) : [])];
  });

const createMark = (field: string, reason: string): ConvertedField => ({
  field,
  language: 'javascript',
  source: '',
  reason: cutWellFormed(reason, 500),
});

/** A name marks the first node that has it: those inside of loops come after the loop. */
function markLevel(definition: WorkflowDefinition, open: Map<string, ConvertedField[]>): WorkflowDefinition {
  const marked = definition.nodes.map((node) => markNode(node, open));
  const nodes = marked.map((node): WorkflowNode => {
    const { body } = node.config;
    if (!Array.isArray(asN8nObject(body)['nodes'])) return node;
    return { ...node, config: { ...node.config, body: markLevel(body as WorkflowDefinition, open) } };
  });
  return { ...definition, nodes };
}

function markNode(node: WorkflowNode, open: Map<string, ConvertedField[]>): WorkflowNode {
  const marks = open.get(node.name ?? '');
  // A start is judged by its trigger, which stands outside of the definition.
  if (marks === undefined || node.type === 'start' || node.disabled) return node;
  open.delete(node.name ?? '');
  return { ...node, unreviewed: [...(node.unreviewed ?? []), ...marks].slice(0, 200) };
}
