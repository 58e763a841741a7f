import type { WorkflowNode } from '@/contract/workflows/workflow';
import { changeNodeFields } from '@/components/graph/edits/edits';
import { dropFieldIssues } from '../checks/locate-issue';
import { editCanvas, canvasDefinition, useDraftStore } from '../draft/draft';

/**
 * Changes one node; consecutive changes of one field are one undo step. What was wrong with the field is judged anew by
 * the next save.
 */
export function useChangeNode(id: string, onChanged: () => void) {
  const store = useDraftStore();
  return (part: Partial<WorkflowNode>, field: string) => {
    const draft = store.get();
    onChanged();
    store.set({
      ...editCanvas(draft, changeNodeFields(canvasDefinition(draft), id, part), `${field} of ${id}`),
      issues: dropFieldIssues(draft, id, part.config ? `config.${field}` : field),
    });
  };
}
