import { IconPlus } from '@tabler/icons-react';
import type { XYPosition } from '@xyflow/react';
import { createContext, use } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { CARD_SPACING } from '@/components/graph/edits/edits';
import type { OpenConnectionEnd } from '@/components/graph/edits/insert-nodes';
import classes from './OpenEnd.module.css';

/** Handler of the plus buttons at outputs without a connection. Undefined: no buttons are shown. */
export const AddAfterOutputContext = createContext<((end: OpenConnectionEnd, at: XYPosition) => void) | undefined>(
  undefined,
);

/** Distance between nodes that follow different outputs of one node. */
const OUTPUT_ROW_GAP = 120;

interface Props {
  node: WorkflowNode;
  port: string;
  /** The position of the output among all outputs of the node. */
  index: number;
}

/** The plus button at an output without a connection. */
export function OpenOutputButton({ node, port, index }: Props) {
  const onContinue = use(AddAfterOutputContext);
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
        onContinue(
          { nodeId: node.id, port, type: 'source' },
          { x: x + CARD_SPACING.x, y: y + 30 + index * OUTPUT_ROW_GAP },
        );
      }}
    >
      <IconPlus size={12} stroke={2.5} aria-hidden />
    </button>
  );
}
