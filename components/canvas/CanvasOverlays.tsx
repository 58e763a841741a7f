import { Background, BackgroundVariant, MiniMap } from '@xyflow/react';
import { memo } from 'react';
import { CanvasControls } from './CanvasControls';
import type { DrawnItem } from '@/components/graph/items';
import { KeepInView } from './KeepInView';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { MiniNode } from './overview/MiniNode';
import { NameSize } from './overview/name-size';
import classes from './WorkflowCanvas.module.css';

/** Distance between two dots of the background. */
export const GRID = 22;

/** Most workflows are too small for it. */
const LargeMinimap = lazyWithPreload(() => import('./overview/Minimap').then((module) => module.Minimap));

const classOf = ({ type }: DrawnItem) => (type && classes[type]) ?? '';

interface Props {
  selectedId: string | undefined;
  /** Of a workflow with more nodes than React Flow's minimap can draw. */
  isLarge: boolean;
}

/** Background, minimap and controls of every canvas. Memoised, because they don't change with the nodes. */
export const CanvasOverlays = memo(function CanvasOverlays({ selectedId, isLarge }: Props) {
  return (
    <>
      <Background variant={BackgroundVariant.Dots} gap={GRID} size={1.6} color="var(--weft-canvas-dot)" />
      {isLarge ? (
        <LargeMinimap className={classes.minimap} />
      ) : (
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
