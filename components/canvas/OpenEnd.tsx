import { IconPlus } from '@tabler/icons-react';
import type { XYPosition } from '@xyflow/react';
import { createContext, use } from 'react';
import type { Node } from '@/contract/workflows/workflow';
import { PITCH } from '@/components/graph/edits/edits';
import type { LooseEnd } from '@/components/graph/edits/splice';
import classes from './OpenEnd.module.css';

/** Handler of the plus buttons at outputs without a connection. Undefined: no buttons are shown. */
export const ContinueContext = createContext<((end: LooseEnd, at: XYPosition) => void) | undefined>(undefined);

/** Distance between nodes that follow different outputs of one node. */
const ROW = 120;

interface Props {
  node: Node;
  port: string;
  /** Of the output among all outputs of the node. */
  index: number;
}

/** The plus button at an output without a connection. */
export function OpenEnd({ node, port, index }: Props) {
  const onContinue = use(ContinueContext);
  if (!onContinue) return null;
  const { x, y } = node.position;
  return (
    // The keyboard equivalent is N with the node selected.
    <button
      type="button"
      tabIndex={-1}
      className={`${classes.end} nodrag nopan`}
      aria-label={`Add a node after ${port}`}
      onClick={(event) => {
        event.stopPropagation();
        onContinue({ nodeId: node.id, port, type: 'source' }, { x: x + PITCH.x, y: y + 30 + index * ROW });
      }}
    >
      <IconPlus size={12} stroke={2.5} aria-hidden />
    </button>
  );
}
