import type { Node } from '@/contract/workflows/workflow';
import { changeNode } from '@/components/graph/edits/edits';
import { withoutIssues } from '../checks/locate';
import { edited, shown, useDraftStore } from '../draft/draft';

/** Changes one node; consecutive changes of one field are one undo step. What was wrong with the field is judged anew by the next save. */
export function useNodeChange(id: string, onChanged: () => void) {
  const store = useDraftStore();
  return (part: Partial<Node>, field: string) => {
    const draft = store.get();
    onChanged();
    store.set({
      ...edited(draft, changeNode(shown(draft), id, part), `${field} of ${id}`),
      issues: withoutIssues(draft, id, part.config ? `config.${field}` : field),
    });
  };
}
