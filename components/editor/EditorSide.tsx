import { selectedId, useDraft } from './draft';
import { SideContent } from './parts';
import type { SideProps } from './SideContent';

/** Room for a panel beside the canvas, where there is something to show in it. */
export function EditorSide(props: SideProps) {
  const hasNode = useDraft((draft) => selectedId(draft) !== undefined);
  return hasNode || props.side ? <SideContent {...props} /> : null;
}
