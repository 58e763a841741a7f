import type { MiniMapNodeProps } from '@xyflow/react';
import { memo } from 'react';
import { RUN_LOOK } from '@/components/ui/states/status';
import { useNodeResult } from '../marks';
import classes from '../WorkflowCanvas.module.css';

/** One item in the minimap, in the colour of its state in the run shown. */
export const MiniNode = memo(function MiniNode({ id, x, y, width, height, borderRadius, className }: MiniMapNodeProps) {
  const status = useNodeResult(id)?.status;
  return (
    <rect
      className={`${classes.mini} ${className}`}
      data-tone={status && RUN_LOOK[status].tone}
      x={x}
      y={y}
      rx={borderRadius}
      ry={borderRadius}
      width={width}
      height={height}
    />
  );
});
