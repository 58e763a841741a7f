import type { CSSProperties, ReactNode } from 'react';
import type { Stats } from '@/contract/stats';
import { duration } from '@/components/ui/values/time';
import classes from './Charts.module.css';
import { axisTop, linePath } from './axis';

type Bucket = Stats['buckets'][number];

const WIDTH = 600;
const HEIGHT = 180;

export type RunPart = 'completed' | 'failed' | 'cancelled';

interface Props {
  buckets: Bucket[];
  /** The begin of a bucket in words. */
  labelOf(at: string): string;
}

const PARTS = [
  { name: 'completed', label: 'Done', color: 'var(--weft-done)' },
  { name: 'failed', label: 'Failed', color: 'var(--weft-failed)' },
  { name: 'cancelled', label: 'Cancelled', color: 'var(--weft-idle)' },
] as const;

interface RunsProps extends Props {
  parts?: readonly RunPart[];
  /** In pixels. */
  height?: number;
}

/** Runs of each bucket as a stacked column. */
export function RunsChart({ buckets, labelOf, parts, height: pixels }: RunsProps) {
  const drawn = PARTS.filter(({ name }) => parts?.includes(name) ?? true);
  const top = axisTop(Math.max(0, ...buckets.map((bucket) => drawn.reduce((sum, { name }) => sum + bucket[name], 0))));
  const step = WIDTH / Math.max(1, buckets.length);
  return (
    <Frame
      label="Runs by time"
      top={top.toLocaleString('en')}
      legend={drawn}
      height={pixels}
      buckets={buckets}
      labelOf={labelOf}
      titleOf={(bucket) => drawn.map(({ name, label }) => `${label}: ${bucket[name]}`).join(', ')}
    >
      {buckets.map((bucket, index) => {
        let base = HEIGHT;
        return drawn.map(({ name }) => {
          const height = (bucket[name] / top) * HEIGHT;
          base -= height;
          return (
            <rect
              key={`${bucket.at} ${name}`}
              className={classes[name]}
              x={index * step + step * 0.12}
              y={base}
              width={step * 0.76}
              height={height}
              pointerEvents="none"
            />
          );
        });
      })}
    </Frame>
  );
}

const LINES = [
  { name: 'p50Ms', label: 'Median', color: 'var(--weft-running)' },
  { name: 'p95Ms', label: '95th percentile', color: 'var(--weft-waiting)' },
] as const;

const durationText = (ms: number | null) => (ms === null ? '–' : duration(ms));

/** Durations of completed runs of each bucket. */
export function DurationChart({ buckets, labelOf }: Props) {
  const top = axisTop(Math.max(0, ...buckets.map((bucket) => bucket.p95Ms ?? 0)));
  const path = (name: 'p50Ms' | 'p95Ms') =>
    linePath(
      buckets.map((bucket) => bucket[name]),
      top,
      WIDTH,
      HEIGHT,
    );
  return (
    <Frame
      label="Durations by time"
      top={duration(top)}
      legend={LINES}
      buckets={buckets}
      labelOf={labelOf}
      titleOf={(bucket) => LINES.map(({ name, label }) => `${label}: ${durationText(bucket[name])}`).join(', ')}
    >
      <path className={classes.slow} d={path('p95Ms')} />
      <path className={classes.median} d={path('p50Ms')} />
    </Frame>
  );
}

interface FrameProps extends Props {
  label: string;
  /** The value at the top of the axis. */
  top: string;
  legend: readonly { label: string; color: string }[];
  /** In pixels; absent: that of the style sheet. */
  height?: number;
  titleOf(bucket: Bucket): string;
  children: ReactNode;
}

function Frame({ label, top, legend, height, buckets, labelOf, titleOf, children }: FrameProps) {
  const step = WIDTH / Math.max(1, buckets.length);
  const first = buckets[0];
  const last = buckets.at(-1);
  return (
    <div>
      <div className={classes.legend}>
        {legend.map((entry) => (
          <span key={entry.label} style={{ '--color': entry.color } as CSSProperties}>
            {entry.label}
          </span>
        ))}
      </div>
      <div className={classes.frame}>
        <svg
          className={classes.chart}
          style={{ height }}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {[0, 0.5, 1].map((part) => (
            <line key={part} className={classes.grid} x1={0} x2={WIDTH} y1={part * HEIGHT} y2={part * HEIGHT} />
          ))}
          {buckets.map((bucket, index) => (
            <rect key={bucket.at} className={classes.area} x={index * step} y={0} width={step} height={HEIGHT}>
              <title>{`${labelOf(bucket.at)}: ${titleOf(bucket)}`}</title>
            </rect>
          ))}
          {children}
        </svg>
        <span className={classes.top}>{top}</span>
      </div>
      <div className={classes.axis}>
        <span>{first && labelOf(first.at)}</span>
        <span>{last && labelOf(last.at)}</span>
      </div>
    </div>
  );
}
