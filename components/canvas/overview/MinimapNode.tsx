import type { MiniMapNodeProps } from '@xyflow/react';
import { memo } from 'react';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { useNodeResult } from '../canvas-badges';
import classes from '../WorkflowCanvas.module.css';

/** One item in the minimap, in the colour of its state in the run shown. */
export const MinimapNode = memo(function MiniNode({
  id,
  x,
  y,
  width,
  height,
  borderRadius,
  className,
}: MiniMapNodeProps) {
  const status = useNodeResult(id)?.status;
  return (
    <rect
      className={`${classes.mini} ${className}`}
      data-tone={status && RUN_STATUS_STYLE[status].tone}
      x={x}
      y={y}
      rx={borderRadius}
      ry={borderRadius}
      width={width}
      height={height}
    />
  );
});
