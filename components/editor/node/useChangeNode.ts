import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { changeNodeFields } from '@/components/graph/edits/edits';
import { dropFieldIssues } from '../checks/locate-issue';
import { editCanvas, canvasDefinition, useDraftStore } from '../draft/draft';

/** Who edits a field has looked at it. */
function dropReviewMarks({ nodes }: WorkflowDefinition, id: string, field: string): Pick<WorkflowNode, 'unreviewed'> {
  const marks = nodes.find((node) => node.id === id)?.unreviewed;
  if (!marks) return {};
  const isIn = (place: string) => place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);
  const left = marks.filter((mark) => !isIn(mark.field));
  return { unreviewed: left.length > 0 ? left : undefined };
}

/**
 * Changes one node; consecutive changes of one field are one undo step. What was wrong with the field is judged anew by
 * the next save.
 */
export function useChangeNode(id: string, onChanged: () => void) {
  const store = useDraftStore();
  return (part: Partial<WorkflowNode>, field: string) => {
    const draft = store.get();
    onChanged();
    const changed = part.config
      ? { ...part, ...dropReviewMarks(canvasDefinition(draft), id, `config.${field}`) }
      : part;
    store.set({
      ...editCanvas(draft, changeNodeFields(canvasDefinition(draft), id, changed), `${field} of ${id}`),
      issues: dropFieldIssues(draft, id, part.config ? `config.${field}` : field),
    });
  };
}
