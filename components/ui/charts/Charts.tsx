import type { CSSProperties, ReactNode } from 'react';
import type { ExecutionStats } from '@/contract/stats';
import { formatDuration } from '@/components/ui/values/time-format';
import classes from './Charts.module.css';
import { roundUpAxisTop, svgLinePath } from './chart-axis';

type StatsBucket = ExecutionStats['buckets'][number];

const CHART_WIDTH = 600;
const CHART_HEIGHT = 180;

export type RunStatusShare = 'completed' | 'failed' | 'cancelled';

interface Props {
  buckets: StatsBucket[];
  /** The text for the beginning of a bucket. */
  labelOf(at: string): string;
}

const RUN_SERIES = [
  { name: 'completed', label: 'Done', color: 'var(--weft-done)' },
  { name: 'failed', label: 'Failed', color: 'var(--weft-failed)' },
  { name: 'cancelled', label: 'Cancelled', color: 'var(--weft-idle)' },
] as const;

interface RunsChartProps extends Props {
  parts?: readonly RunStatusShare[];
  /** The height in pixels. */
  height?: number;
}

/** Runs of each bucket as a stacked column. */
export function RunsChart({ buckets, labelOf, parts, height: pixels }: RunsChartProps) {
  const drawn = RUN_SERIES.filter(({ name }) => parts?.includes(name) ?? true);
  const top = roundUpAxisTop(
    Math.max(0, ...buckets.map((bucket) => drawn.reduce((sum, { name }) => sum + bucket[name], 0))),
  );
  const step = CHART_WIDTH / Math.max(1, buckets.length);
  return (
    <ChartFrame
      label="Runs by time"
      top={top.toLocaleString('en')}
      legend={drawn}
      height={pixels}
      buckets={buckets}
      labelOf={labelOf}
      titleOf={(bucket) => drawn.map(({ name, label }) => `${label}: ${bucket[name]}`).join(', ')}
    >
      {buckets.map((bucket, index) => {
        let base = CHART_HEIGHT;
        return drawn.map(({ name }) => {
          const height = (bucket[name] / top) * CHART_HEIGHT;
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
    </ChartFrame>
  );
}

const DURATION_SERIES = [
  { name: 'p50Ms', label: 'Median', color: 'var(--weft-running)' },
  { name: 'p95Ms', label: '95 % of runs within', color: 'var(--weft-waiting)' },
] as const;

const durationOrDash = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

/** Durations of completed runs of each bucket. */
export function DurationChart({ buckets, labelOf }: Props) {
  const top = roundUpAxisTop(Math.max(0, ...buckets.map((bucket) => bucket.p95Ms ?? 0)));
  const path = (name: 'p50Ms' | 'p95Ms') =>
    svgLinePath(
      buckets.map((bucket) => bucket[name]),
      top,
      CHART_WIDTH,
      CHART_HEIGHT,
    );
  return (
    <ChartFrame
      label="Durations by time"
      top={formatDuration(top)}
      legend={DURATION_SERIES}
      buckets={buckets}
      labelOf={labelOf}
      titleOf={(bucket) =>
        DURATION_SERIES.map(({ name, label }) => `${label}: ${durationOrDash(bucket[name])}`).join(', ')
      }
    >
      <path className={classes.slow} d={path('p95Ms')} />
      <path className={classes.median} d={path('p50Ms')} />
    </ChartFrame>
  );
}

interface ChartFrameProps extends Props {
  label: string;
  /** The value at the top of the axis. */
  top: string;
  legend: readonly { label: string; color: string }[];
  /** The height in pixels. If it is absent, the style sheet has it. */
  height?: number;
  titleOf(bucket: StatsBucket): string;
  children: ReactNode;
}

function ChartFrame({ label, top, legend, height, buckets, labelOf, titleOf, children }: ChartFrameProps) {
  const step = CHART_WIDTH / Math.max(1, buckets.length);
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
          viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              className={classes.grid}
              x1={0}
              x2={CHART_WIDTH}
              y1={part * CHART_HEIGHT}
              y2={part * CHART_HEIGHT}
            />
          ))}
          {buckets.map((bucket, index) => (
            <rect key={bucket.at} className={classes.area} x={index * step} y={0} width={step} height={CHART_HEIGHT}>
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
