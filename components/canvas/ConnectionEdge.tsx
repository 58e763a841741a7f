import { BaseEdge, getBezierPath, type EdgeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import type { NodeConnection } from '@/contract/workflows/workflow';
import type { CanvasEdge } from '@/components/graph/cards-and-edges';
import { connectionCurves, curvesMiddle, curvesToSvgPath } from '@/components/graph/layout/curve';
import { useConnectionFlow, useConnectionItemCount } from './canvas-badges';
import classes from './ConnectionEdge.module.css';

/** Handler of the plus button on a connection. Undefined: no button is shown. */
export const InsertNodeContext = createContext<((connection: NodeConnection) => void) | undefined>(undefined);

export const ConnectionEdge = memo(function ConnectionEdge(props: EdgeProps<CanvasEdge>) {
  const connection = props.data?.connection;
  const flow = useConnectionFlow(connection);
  const count = useConnectionItemCount(connection);
  const onInsert = use(InsertNodeContext);
  const [path, x, y] = edgePathAndMiddle(props);
  const isError = connection?.sourcePort === 'error';
  return (
    <g
      className={classes.edge}
      data-flow={flow}
      data-selected={props.selected || undefined}
      data-error={isError || undefined}
    >
      <BaseEdge id={props.id} path={path} interactionWidth={22} />
      {count !== undefined && (
        <text className={classes.count} x={x} y={y - 9}>
          {count === 1 ? '1 item' : `${count} items`}
        </text>
      )}
      {onInsert && connection && (
        // The keyboard equivalent is N with a node selected.
        <g
          className={classes.plus}
          transform={`translate(${x} ${y})`}
          role="img"
          aria-label="Insert a node"
          onClick={(event) => {
            event.stopPropagation();
            onInsert(connection);
          }}
        >
          <circle r={10} />
          <path d="M-4 0h8M0 -4v8" />
        </g>
      )}
    </g>
  );
});

/**
 * A route is used while both ends are at most this far from those it was computed for. Beyond that, a card is being
 * dragged.
 */
const MAX_ROUTE_END_SHIFT = 12;

/** The path and its middle: around cards if there is a way for these ends, otherwise direct. */
function edgePathAndMiddle(props: EdgeProps<CanvasEdge>): readonly [path: string, x: number, y: number] {
  const { sourceX, sourceY, targetX, targetY, data } = props;
  const { ends, way } = data?.route ?? {};
  const distances = ends && [ends.from.x - sourceX, ends.from.y - sourceY, ends.to.x - targetX, ends.to.y - targetY];
  if (!ends || !way || distances?.some((distance) => Math.abs(distance) > MAX_ROUTE_END_SHIFT)) {
    const [path, x, y] = getBezierPath({ ...props, curvature: 0.35 });
    return [path, x, y];
  }
  const [from, to] = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ];
  const curves = connectionCurves({ ...ends, from, to }, way);
  const { x, y } = curvesMiddle(curves);
  return [curvesToSvgPath(curves), x, y];
}
