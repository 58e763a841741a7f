import { singleSelectedId, useDraft } from './draft/draft';
import { LazySideContent } from './lazy-components';
import type { SidePanelProps } from './SidePanelContent';

/** The side panel, if there is something to show in it. */
export function EditorSidePanel(props: SidePanelProps) {
  const hasNode = useDraft((draft) => singleSelectedId(draft) !== undefined);
  return hasNode || props.side ? <LazySideContent {...props} /> : null;
}
