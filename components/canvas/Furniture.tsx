import { Background, BackgroundVariant, MiniMap } from '@xyflow/react';
import { memo } from 'react';
import { CanvasControls } from './CanvasControls';
import type { Item } from './items';
import { KeepInView } from './KeepInView';
import classes from './WorkflowCanvas.module.css';

/** From dot to dot of the background. */
export const GRID = 22;

const classOf = ({ type }: Item) => (type && classes[type]) ?? '';

/** What stands on every canvas besides its graph. It doesn't move with the nodes, so it isn't rendered with them. */
export const Furniture = memo(function Furniture({ selectedId }: { selectedId: string | undefined }) {
  return (
    <>
      <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.6} color="var(--weft-canvas-dot)" />
      <MiniMap<Item>
        pannable
        zoomable
        className={classes.minimap}
        nodeBorderRadius={10}
        nodeClassName={classOf}
        ariaLabel="Overview of the workflow"
      />
      <CanvasControls />
      <KeepInView selectedId={selectedId} />
    </>
  );
});
