import type { ConvertedField } from '@/contract/workflows/converted-field';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, cutWellFormed } from '../file';
import { leaveOutAccountTasks } from './findings';
import { leaveOutKnowledge, type ImportReportEntry } from './report-entry';

/**
 * Marks each node with a task that is more than an account: the workflow cannot be published until somebody has looked
 * at it.
 */
export function markOpenNodes(
  definition: WorkflowDefinition,
  report: readonly ImportReportEntry[],
): WorkflowDefinition {
  const reasons = new Map(
    report.flatMap(({ node, outcome, message, knowledge }): [string, string][] => {
      const tasks = outcome === 'partly' ? leaveOutKnowledge({ message, knowledge }) : message;
      const rest = outcome === 'partly' || outcome === 'placeholder' ? leaveOutAccountTasks(tasks) : '';
      return rest === '' ? [] : [[node, rest]];
    }),
  );
  return markLevel(definition, reasons);
}

/** A name marks the first node that has it: those inside of loops come after the loop. */
function markLevel(definition: WorkflowDefinition, reasons: Map<string, string>): WorkflowDefinition {
  const marked = definition.nodes.map((node) => markNode(node, reasons));
  const nodes = marked.map((node): WorkflowNode => {
    const { body } = node.config;
    if (!Array.isArray(asN8nObject(body)['nodes'])) return node;
    return { ...node, config: { ...node.config, body: markLevel(body as WorkflowDefinition, reasons) } };
  });
  return { ...definition, nodes };
}

function markNode(node: WorkflowNode, reasons: Map<string, string>): WorkflowNode {
  const reason = reasons.get(node.name ?? '');
  // A start is judged by its trigger, which stands outside of the definition.
  if (reason === undefined || node.type === 'start' || node.disabled) return node;
  reasons.delete(node.name ?? '');
  const mark: ConvertedField = {
    field: 'config',
    language: 'javascript',
    source: '',
    reason: cutWellFormed(reason, 500),
  };
  return { ...node, unreviewed: [...(node.unreviewed ?? []).slice(0, 199), mark] };
}
