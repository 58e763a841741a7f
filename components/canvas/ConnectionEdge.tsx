import { BaseEdge, EdgeLabelRenderer, getBezierPath, type EdgeProps } from '@xyflow/react';
import { createContext, memo, use } from 'react';
import type { NodeConnection } from '@/contract/workflows/workflow';
import type { CanvasEdge } from '@/components/graph/cards-and-edges';
import { connectionCurves, curvesMiddle, curvesToSvgPath } from '@/components/graph/layout/curve';
import { FirstRows } from '@/components/ui/values/FirstRows';
import { formatItemCount } from '@/components/ui/values/item-count-text';
import {
  useConnectionData,
  useConnectionFlow,
  useIsConnectionPointed,
  useNodePreviewKind,
  type PreviewKind,
} from './canvas-badges';
import classes from './ConnectionEdge.module.css';

/** Handler of the plus button on a connection. Undefined: no button is shown. */
export const InsertNodeContext = createContext<((connection: NodeConnection) => void) | undefined>(undefined);

export const ConnectionEdge = memo(function ConnectionEdge(props: EdgeProps<CanvasEdge>) {
  const connection = props.data?.connection;
  const flow = useConnectionFlow(connection);
  const passed = useConnectionData(connection);
  const preview = useNodePreviewKind(connection?.sourceNode);
  const isPointed = useIsConnectionPointed(props.id);
  const onInsert = use(InsertNodeContext);
  const [path, x, y] = edgePathAndMiddle(props);
  const isError = connection?.sourcePort === 'error';
  return (
    <g
      className={classes.edge}
      data-flow={flow}
      data-preview={preview && true}
      data-selected={props.selected || undefined}
      data-error={isError || undefined}
    >
      <BaseEdge id={props.id} path={path} interactionWidth={22} />
      {passed?.count !== undefined && (
        <text className={classes.count} data-end={passed.isEnd || undefined} x={x} y={y - 9}>
          <CountLines text={formatItemCount(passed.count)} x={x} />
          {passed.isEnd && (
            <>
              {' '}
              <tspan x={x} dy={26}>
                the branch
              </tspan>{' '}
              <tspan x={x} dy={13}>
                ends here
              </tspan>
            </>
          )}
        </text>
      )}
      {isPointed && passed?.rows && (
        <EdgeLabelRenderer>
          <div
            className={classes.rows}
            role="tooltip"
            aria-live="polite"
            style={{ transform: `translate(-50%, 0) translate(${x}px, ${y + 24}px)` }}
          >
            <FirstRows rows={passed.rows} caption={rowsCaption(passed.count, preview)} />
          </div>
        </EdgeLabelRenderer>
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

/** What the rows at a wire are. Undefined: their number says enough. */
function rowsCaption(count: number | undefined, preview: PreviewKind | undefined): string | undefined {
  const words = count === undefined ? 'One value' : formatItemCount(count);
  if (preview) return `${preview === 'example' ? 'Example' : 'Preview'} · ${words}`;
  return count === undefined ? words : undefined;
}

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

/** The most characters that fit between two cards. */
const MAX_LINE_CHARACTERS = 9;

/** The number of items in a line above the connection; a long one with its word below. */
function CountLines({ text, x }: { text: string; x: number }) {
  const [number, word] = text.split(' ');
  if (text.length <= MAX_LINE_CHARACTERS) return text;
  return (
    <>
      {number}{' '}
      <tspan x={x} dy={26}>
        {word}
      </tspan>
    </>
  );
}
