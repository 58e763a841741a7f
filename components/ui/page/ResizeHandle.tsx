import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './ResizeHandle.module.css';

const RESIZE_STEP_PX = 24;

/** Widths in pixels. */
interface WidthLimits {
  initial: number;
  least: number;
  /** The largest width that is possible in this window. */
  most(): number;
}

/** The width of an element, which this browser remembers under a key. */
export function useStoredWidth(key: string, { initial, least, most }: WidthLimits) {
  const within = (width: number) => Math.round(Math.max(least, Math.min(width, most())));
  const [width, setWidth] = useState(() =>
    typeof window === 'undefined' ? initial : within(Number(localStorage.getItem(key)) || initial),
  );
  const resize = (next: number) => {
    setWidth(within(next));
    localStorage.setItem(key, String(within(next)));
  };
  return { width, least, resize, reset: () => resize(initial) };
}

interface Props extends ReturnType<typeof useStoredWidth> {
  label: string;
  /** The side of its parent on which the edge is. */
  side: 'left' | 'right';
}

/** The edge of an element: a drag or the arrow keys change the element’s width, a double click resets it. */
export function ResizeHandle({ label, side, width, least, resize, reset }: Props) {
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box) resize(side === 'left' ? box.right - event.clientX : event.clientX - box.left);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(width + (side === 'left' ? -direction : direction) * RESIZE_STEP_PX);
  };
  return (
    <div
      className={classes.edge}
      data-side={side}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={least}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onDoubleClick={reset}
      onKeyDown={onKeyDown}
    />
  );
}
