import { Panel, useStore as useFlowStore, useStoreApi, type ReactFlowState } from '@xyflow/react';
import { getBoundsOfRects, XYMinimap, type Rect } from '@xyflow/system';
import { use, useEffect, useMemo, useRef, type RefObject } from 'react';
import { useStoreSlice } from '@/components/client/store';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { CanvasBadgesContext, type CanvasBadges } from '../canvas-badges';
import classes from '../WorkflowCanvas.module.css';

const MINIMAP_WIDTH = 200;
const MINIMAP_HEIGHT = 150;
/** Padding around the drawing, in pixels. */
const MINIMAP_PADDING = 5;

/**
 * The visible part of the canvas. It changes with each frame of a pan, so it is passed as text, which compares by
 * value.
 */
const visibleAreaText = ({ transform: [x, y, zoom], width, height }: ReactFlowState) =>
  [-x / zoom, -y / zoom, width / zoom, height / zoom].join(' ');

/**
 * The minimap of a large workflow: one path for all items of a look. The minimap of React Flow has an element for each
 * node, which a pan would lay out and paint in each frame.
 */
export function LargeMinimap({ className }: { className: string | undefined }) {
  const svg = useRef<SVGSVGElement>(null);
  const [x = 0, y = 0, width = 0, height = 0] = useFlowStore(visibleAreaText).split(' ').map(Number);
  const nodes = useFlowStore((state) => state.nodes);
  const results = useStoreSlice(use(CanvasBadgesContext), (marks) => marks.results);
  const { paths, bounds } = useMemo(() => minimapPaths(nodes, results), [nodes, results]);
  const all = bounds ? getBoundsOfRects(bounds, { x, y, width, height }) : { x, y, width, height };
  const scale = Math.max(all.width / MINIMAP_WIDTH, all.height / MINIMAP_HEIGHT);
  useMinimapPanning(svg, scale);
  const margin = MINIMAP_PADDING * scale;
  const box = {
    x: all.x - (scale * MINIMAP_WIDTH - all.width) / 2 - margin,
    y: all.y - (scale * MINIMAP_HEIGHT - all.height) / 2 - margin,
    width: scale * MINIMAP_WIDTH + 2 * margin,
    height: scale * MINIMAP_HEIGHT + 2 * margin,
  };
  return (
    <Panel position="bottom-right" className={`react-flow__minimap ${className}`}>
      <svg
        ref={svg}
        width={MINIMAP_WIDTH}
        height={MINIMAP_HEIGHT}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        className="react-flow__minimap-svg"
        role="img"
        aria-label="Overview of the workflow"
      >
        {paths.map(({ look, tone, d }) => (
          <path key={`${look} ${tone}`} className={`${classes.mini} ${classes[look] ?? ''}`} data-tone={tone} d={d} />
        ))}
        <path
          className="react-flow__minimap-mask"
          d={`${rectanglePath(box)}${rectanglePath({ x, y, width, height })}`}
          fillRule="evenodd"
          pointerEvents="none"
        />
      </svg>
    </Panel>
  );
}

const rectanglePath = ({ x, y, width, height }: Rect) => `M${x},${y}h${width}v${height}h${-width}z`;

/** The outlines of all items by their look: the type of the item, and for a card its state in the run shown. */
function minimapPaths(nodes: ReactFlowState['nodes'], results: CanvasBadges['results']) {
  const looks = new Map<string, { look: string; tone: string | undefined; d: string }>();
  let bounds: Rect | undefined;
  for (const node of nodes) {
    if (node.hidden && !('isPictured' in node)) continue;
    const { id, type: look = 'card', position } = node;
    const width = node.measured?.width ?? node.width ?? 0;
    const height = node.measured?.height ?? node.height ?? 0;
    const rect = { ...position, width, height };
    const status = results.get(id)?.status;
    const tone = status && RUN_STATUS_STYLE[status].tone;
    const key = `${look} ${tone}`;
    const entry = looks.get(key) ?? { look, tone, d: '' };
    entry.d += rectanglePath(rect);
    looks.set(key, entry);
    bounds = bounds ? getBoundsOfRects(bounds, rect) : rect;
  }
  return { paths: [...looks.values()], bounds };
}

/** Dragging in the minimap pans the canvas, and the wheel zooms it. */
function useMinimapPanning(svg: RefObject<SVGSVGElement | null>, scale: number): void {
  const store = useStoreApi();
  const panZoom = useFlowStore((state) => state.panZoom);
  const [width, height] = [useFlowStore((state) => state.width), useFlowStore((state) => state.height)];
  const translateExtent = useFlowStore((state) => state.translateExtent);
  const latest = useRef(scale);
  useEffect(() => {
    latest.current = scale;
  });
  useEffect(() => {
    if (!svg.current || !panZoom) return;
    const minimap = XYMinimap({
      domNode: svg.current,
      panZoom,
      getTransform: () => store.getState().transform,
      getViewScale: () => latest.current,
    });
    minimap.update({ translateExtent, width, height, pannable: true, zoomable: true });
    return () => minimap.destroy();
  }, [svg, panZoom, store, translateExtent, width, height]);
}
