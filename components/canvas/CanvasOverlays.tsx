import { Background, BackgroundVariant, MiniMap } from '@xyflow/react';
import { memo } from 'react';
import { CanvasControls } from './CanvasControls';
import type { DrawnItem } from '@/components/graph/items';
import { KeepInView } from './KeepInView';
import { MiniNode } from './overview/MiniNode';
import { NameSize } from './overview/name-size';
import classes from './WorkflowCanvas.module.css';

/** Distance between two dots of the background. */
export const GRID = 22;

const classOf = ({ type }: DrawnItem) => (type && classes[type]) ?? '';

interface Props {
  selectedId: string | undefined;
  /** False while the nodes of a large workflow are added: the minimap has an element for each, too. */
  hasMinimap: boolean;
}

/** Background, minimap and controls of every canvas. Memoised, because they don't change with the nodes. */
export const CanvasOverlays = memo(function CanvasOverlays({ selectedId, hasMinimap }: Props) {
  return (
    <>
      <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.6} color="var(--weft-canvas-dot)" />
      {hasMinimap && (
        <MiniMap<DrawnItem>
          pannable
          zoomable
          className={classes.minimap}
          nodeBorderRadius={10}
          nodeClassName={classOf}
          nodeComponent={MiniNode}
          ariaLabel="Overview of the workflow"
        />
      )}
      <CanvasControls />
      <NameSize />
      <KeepInView selectedId={selectedId} />
    </>
  );
});
