import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './SidePanel.module.css';

const KEY = 'weft.panelWidth';
const DEFAULT = 372;
const LEAST = 320;
const STEP = 24;

/** At least a third of the window is left to the canvas. */
const within = (width: number) => Math.round(Math.max(LEAST, Math.min(width, (window.innerWidth * 2) / 3)));

const stored = () => Number(localStorage.getItem(KEY)) || DEFAULT;

/** The width of side panels, which this browser remembers. */
export function usePanelWidth() {
  const [width, setWidth] = useState(() => (typeof window === 'undefined' ? DEFAULT : within(stored())));
  const resize = (next: number) => {
    setWidth(within(next));
    localStorage.setItem(KEY, String(within(next)));
  };
  return { width, resize };
}

/** The edge of a side panel: a drag or the arrow keys change its width, a double click resets it. */
export function PanelEdge({ width, resize }: ReturnType<typeof usePanelWidth>) {
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const panel = event.currentTarget.parentElement?.getBoundingClientRect();
    if (panel) resize(panel.right - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(width + direction * STEP);
  };
  return (
    <div
      className={classes.edge}
      role="separator"
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onDoubleClick={() => resize(DEFAULT)}
      onKeyDown={onKeyDown}
    />
  );
}
