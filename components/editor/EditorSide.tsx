import { selectedId, useDraft } from './draft/draft';
import { SideContent } from './lazy';
import type { SideProps } from './SideContent';

/** The side panel, if there is something to show in it. */
export function EditorSide(props: SideProps) {
  const hasNode = useDraft((draft) => selectedId(draft) !== undefined);
  return hasNode || props.side ? <SideContent {...props} /> : null;
}
