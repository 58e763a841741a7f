import { useComputedColorScheme } from '@mantine/core';
import { useStore as useFlowStore, useStoreApi, ViewportPortal } from '@xyflow/react';
import { use, useEffect, useMemo, useRef, type RefObject } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useStoreSlice } from '@/components/client/store';
import type { NodeTypesByName, CanvasEdge } from '@/components/graph/cards-and-edges';
import type { FindConnection } from '../hit-test';
import { CanvasBadgesContext } from '../canvas-badges';
import { connectionNearPoint } from './connection-near-point';
import { nameSizeAtZoom } from './name-size';
import classes from './Overview.module.css';
import { paintOverview, pictureScale } from './paint';
import { buildOverviewScene } from './scene';
import { usePicturePointer } from './usePicturePointer';

/** How long the zoom must rest before the picture is drawn again. During a zoom, the picture scales with the canvas. */
const REDRAW_DELAY_MS = 120;

interface Props {
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  edges: readonly CanvasEdge[];
  live: ReadonlySet<string>;
  /** Set while the picture is shown. */
  finderRef: RefObject<FindConnection | undefined>;
  /** Called with the card under the pointer. */
  onPoint(id: string | undefined): void;
  onSelect(ids: readonly string[]): void;
}

/**
 * The cards and connections of a large workflow as one picture, for the zooms at which all of them fit on the screen:
 * a browser moves and scales a picture many times faster than thousands of elements.
 */
export function OverviewPicture({ definition, catalogue, edges, live, finderRef, ...handlers }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colorScheme = useComputedColorScheme();
  const marks = use(CanvasBadgesContext);
  const results = useStoreSlice(marks, (state) => state.results);
  const issues = useStoreSlice(marks, (state) => state.issues);
  const changes = useStoreSlice(marks, (state) => state.changes);
  const scene = useMemo(
    () => buildOverviewScene(definition, catalogue, edges, { results, issues, changes }, live),
    [definition, catalogue, edges, results, issues, changes, live],
  );
  useEffect(() => {
    finderRef.current = (at, within) => connectionNearPoint(scene?.lines ?? [], at, within);
    return () => {
      finderRef.current = undefined;
    };
  }, [finderRef, scene]);
  usePicturePointer(scene?.cards, handlers);
  const flow = useStoreApi();
  const zoom = useFlowStore(({ transform }) => transform[2]);
  const shown = useRef<{ zoom: number; scene: typeof scene; colorScheme: string }>(undefined);
  useEffect(() => {
    const draw = () => {
      const context = canvas.current?.getContext('2d');
      if (!canvas.current || !context || !scene) return;
      const now = flow.getState().transform[2];
      shown.current = { zoom: now, scene, colorScheme };
      const scale = pictureScale(scene.bounds, now * devicePixelRatio);
      canvas.current.width = Math.ceil(scene.bounds.width * scale);
      canvas.current.height = Math.ceil(scene.bounds.height * scale);
      const style = getComputedStyle(canvas.current);
      const colors = new Map<string, string>();
      const colorOf = (name: string) => {
        const color = colors.get(name) ?? style.getPropertyValue(`--weft-${name}`);
        colors.set(name, color);
        return color;
      };
      paintOverview(context, scene, scale, nameSizeAtZoom(now), colorOf);
    };
    const last = shown.current;
    if (last?.scene !== scene || last?.colorScheme !== colorScheme) return draw();
    if (last.zoom === zoom) return;
    const timer = setTimeout(draw, REDRAW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [scene, zoom, colorScheme, flow]);
  if (!scene) return null;
  const { x, y, width, height } = scene.bounds;
  return (
    <ViewportPortal>
      <canvas
        ref={canvas}
        className={classes.picture}
        style={{ left: x, top: y, width, height }}
        role="img"
        aria-label={`Picture of ${scene.cards.length} nodes. Zoom in, walk with the arrow keys, or search to reach one.`}
      />
    </ViewportPortal>
  );
}
