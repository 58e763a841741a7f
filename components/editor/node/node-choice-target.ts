import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readChoiceTarget, replaceLabel, type ChoiceTarget } from '@/components/forms/choices/choice-target';

/** What the choices of a node are asked with, and where the labels of picked values are kept. */
export const nodeChoiceTarget = (
  node: WorkflowNode,
  onChange: (part: Partial<WorkflowNode>, field: string) => void,
): ChoiceTarget => ({
  ...readChoiceTarget(node),
  labels: node.labels,
  onLabel(path, label) {
    // Under the name of the field, so that value and label are one step of undo.
    onChange({ labels: replaceLabel(node.labels, path, label) }, path);
  },
});
