import { Panel, useStore as useFlowStore, useStoreApi, type ReactFlowState } from '@xyflow/react';
import { getBoundsOfRects, XYMinimap, type Rect } from '@xyflow/system';
import { use, useEffect, useMemo, useRef, type RefObject } from 'react';
import { useStore } from '@/components/client/store';
import { RUN_LOOK } from '@/components/ui/states/status';
import { MarksContext, type Marks } from '../marks';
import classes from '../WorkflowCanvas.module.css';

const WIDTH = 200;
const HEIGHT = 150;
/** Around what is drawn, in pixels. */
const PADDING = 5;

/** The visible part of the canvas. It changes with each frame of a pan, so it is passed as text, which compares by value. */
const viewOf = ({ transform: [x, y, zoom], width, height }: ReactFlowState) =>
  [-x / zoom, -y / zoom, width / zoom, height / zoom].join(' ');

/**
 * The minimap of a large workflow: one path for all items of a look. The minimap of React Flow has an element for each node, which a pan
 * would lay out and paint in each frame.
 */
export function Minimap({ className }: { className: string | undefined }) {
  const svg = useRef<SVGSVGElement>(null);
  const [x = 0, y = 0, width = 0, height = 0] = useFlowStore(viewOf).split(' ').map(Number);
  const nodes = useFlowStore((state) => state.nodes);
  const results = useStore(use(MarksContext), (marks) => marks.results);
  const { paths, bounds } = useMemo(() => drawingOf(nodes, results), [nodes, results]);
  const all = bounds ? getBoundsOfRects(bounds, { x, y, width, height }) : { x, y, width, height };
  const scale = Math.max(all.width / WIDTH, all.height / HEIGHT);
  useDragging(svg, scale);
  const margin = PADDING * scale;
  const box = {
    x: all.x - (scale * WIDTH - all.width) / 2 - margin,
    y: all.y - (scale * HEIGHT - all.height) / 2 - margin,
    width: scale * WIDTH + 2 * margin,
    height: scale * HEIGHT + 2 * margin,
  };
  return (
    <Panel position="bottom-right" className={`react-flow__minimap ${className}`}>
      <svg
        ref={svg}
        width={WIDTH}
        height={HEIGHT}
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
          d={`${rectangle(box)}${rectangle({ x, y, width, height })}`}
          fillRule="evenodd"
          pointerEvents="none"
        />
      </svg>
    </Panel>
  );
}

const rectangle = ({ x, y, width, height }: Rect) => `M${x},${y}h${width}v${height}h${-width}z`;

/** The outlines of all items by their look: the type of the item, and for a card its state in the run shown. */
function drawingOf(nodes: ReactFlowState['nodes'], results: Marks['results']) {
  const looks = new Map<string, { look: string; tone: string | undefined; d: string }>();
  let bounds: Rect | undefined;
  for (const node of nodes) {
    if (node.hidden && !('isPictured' in node)) continue;
    const { id, type: look = 'card', position } = node;
    const width = node.measured?.width ?? node.width ?? 0;
    const height = node.measured?.height ?? node.height ?? 0;
    const rect = { ...position, width, height };
    const status = results.get(id)?.status;
    const tone = status && RUN_LOOK[status].tone;
    const key = `${look} ${tone}`;
    const entry = looks.get(key) ?? { look, tone, d: '' };
    entry.d += rectangle(rect);
    looks.set(key, entry);
    bounds = bounds ? getBoundsOfRects(bounds, rect) : rect;
  }
  return { paths: [...looks.values()], bounds };
}

/** Dragging in the minimap pans the canvas, and the wheel zooms it. */
function useDragging(svg: RefObject<SVGSVGElement | null>, scale: number): void {
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
