import { Background, BackgroundVariant, MiniMap } from '@xyflow/react';
import { memo } from 'react';
import { CanvasControls } from './CanvasControls';
import type { CanvasItem } from '@/components/graph/canvas-items';
import { KeepSelectionInView } from './KeepSelectionInView';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { MinimapNode } from './overview/MinimapNode';
import { NameSizeAttribute } from './overview/name-size';
import classes from './WorkflowCanvas.module.css';

/** Distance between two dots of the background. */
export const CANVAS_DOT_GAP = 22;

/** Loaded on demand: most workflows are small enough for the minimap of React Flow. */
const LazyMinimap = lazyWithPreload(() => import('./overview/LargeMinimap').then((module) => module.LargeMinimap));

const minimapItemClass = ({ type }: CanvasItem) => (type && classes[type]) ?? '';

interface Props {
  selectedId: string | undefined;
  /** The workflow has more nodes than React Flow's minimap can draw. */
  isLarge: boolean;
}

/** Background, minimap and controls of every canvas. Memoised, because they don't change with the nodes. */
export const CanvasOverlays = memo(function CanvasOverlays({ selectedId, isLarge }: Props) {
  return (
    <>
      <Background variant={BackgroundVariant.Dots} gap={CANVAS_DOT_GAP} size={1.6} color="var(--weft-canvas-dot)" />
      {isLarge ? (
        <LazyMinimap className={classes.minimap} />
      ) : (
        <MiniMap<CanvasItem>
          pannable
          zoomable
          className={classes.minimap}
          nodeBorderRadius={10}
          nodeClassName={minimapItemClass}
          nodeComponent={MinimapNode}
          ariaLabel="Overview of the workflow"
        />
      )}
      <CanvasControls />
      <NameSizeAttribute />
      <KeepSelectionInView selectedId={selectedId} />
    </>
  );
});
