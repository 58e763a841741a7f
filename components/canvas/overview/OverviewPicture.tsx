import { useComputedColorScheme } from '@mantine/core';
import { useStore as useFlowStore, useStoreApi, ViewportPortal } from '@xyflow/react';
import { use, useEffect, useMemo, useRef, type RefObject } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import { useStore } from '@/components/client/store';
import type { Catalogue, FlowEdge } from '@/components/graph/flow';
import type { FindConnection } from '../hit-test';
import { MarksContext } from '../marks';
import { lineAt } from './line-at';
import { nameSize } from './name-size';
import classes from './Overview.module.css';
import { paint, scaleFor } from './paint';
import { sceneOf } from './scene';
import { usePicture } from './usePicture';

/** For how long the zoom rests before the picture is drawn again. During a zoom it scales with the canvas. */
const REST_MS = 120;

interface Props {
  definition: Definition;
  catalogue: Catalogue;
  edges: readonly FlowEdge[];
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
  const marks = use(MarksContext);
  const results = useStore(marks, (state) => state.results);
  const issues = useStore(marks, (state) => state.issues);
  const changes = useStore(marks, (state) => state.changes);
  const scene = useMemo(
    () => sceneOf(definition, catalogue, edges, { results, issues, changes }, live),
    [definition, catalogue, edges, results, issues, changes, live],
  );
  useEffect(() => {
    finderRef.current = (at, within) => lineAt(scene?.lines ?? [], at, within);
    return () => {
      finderRef.current = undefined;
    };
  }, [finderRef, scene]);
  usePicture(scene?.cards, handlers);
  const flow = useStoreApi();
  const zoom = useFlowStore(({ transform }) => transform[2]);
  const shown = useRef<{ zoom: number; scene: typeof scene; colorScheme: string }>(undefined);
  useEffect(() => {
    const draw = () => {
      const context = canvas.current?.getContext('2d');
      if (!canvas.current || !context || !scene) return;
      const now = flow.getState().transform[2];
      shown.current = { zoom: now, scene, colorScheme };
      const scale = scaleFor(scene.bounds, now * devicePixelRatio);
      canvas.current.width = Math.ceil(scene.bounds.width * scale);
      canvas.current.height = Math.ceil(scene.bounds.height * scale);
      const style = getComputedStyle(canvas.current);
      const colors = new Map<string, string>();
      const colorOf = (name: string) => {
        const color = colors.get(name) ?? style.getPropertyValue(`--weft-${name}`);
        colors.set(name, color);
        return color;
      };
      paint(context, scene, scale, nameSize(now), colorOf);
    };
    const last = shown.current;
    if (last?.scene !== scene || last?.colorScheme !== colorScheme) return draw();
    if (last.zoom === zoom) return;
    const timer = setTimeout(draw, REST_MS);
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
