import type { Node } from '@/contract/workflows/workflow';
import { changeNode } from '@/components/graph/edits/edits';
import { edited, shown, useDraftStore } from '../draft/draft';

/** Changes one node; consecutive changes of one field are one undo step. */
export function useNodeChange(id: string) {
  const store = useDraftStore();
  return (part: Partial<Node>, field: string) => {
    const draft = store.get();
    store.set(edited(draft, changeNode(shown(draft), id, part), `${field} of ${id}`));
  };
}
