import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import classes from './NodeIcon.module.css';

/** The icon of a node type in the colour of its category. Decorative: the title is always next to it. */
export function NodeIcon({ kind, size = 34 }: { kind: NodeTypeDescription | undefined; size?: number }) {
  const mask = kind ? `url(${JSON.stringify(kind.icon)})` : undefined;
  return (
    <span
      className={classes.tile}
      data-category={kind?.category ?? 'unknown'}
      style={{ width: size, height: size }}
      aria-hidden
    >
      {mask ? <span className={classes.drawing} style={{ maskImage: mask }} /> : '?'}
    </span>
  );
}
