import type { Node } from '@/contract/workflow';
import { changeNode } from '../canvas/edits';
import { edited, shown, useDraftStore } from './draft';

/** Changes one node; changes of the same field in a row are one step back. */
export function useNodeChange(id: string) {
  const store = useDraftStore();
  return (part: Partial<Node>, field: string) => {
    const draft = store.get();
    store.set(edited(draft, changeNode(shown(draft), id, part), `${field} of ${id}`));
  };
}
