/** Values of the labels of one series. A family has up to two labels. */
export type LabelValue = string | number;

interface MetricDefinition {
  /** With the unit at its end, without the prefix of the service. */
  name: string;
  help: string;
  labels?: readonly [] | readonly [string] | readonly [string, string];
  /** More series than this are counted together under the labels `other`. */
  maxSeries?: number;
}

const MAX_METRIC_SERIES = 5000;
export const OTHER_LABEL = 'other';

/**
 * The series of one metric by the values of its labels: numbers in memory. A look-up allocates nothing, because it is
 * made for every call and every node.
 */
abstract class MetricFamily<Series> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  private readonly maxSeries: number;
  private readonly tree = new Map<LabelValue, Map<LabelValue, Series>>();
  private size = 0;

  constructor({ name, help, labels = [], maxSeries = MAX_METRIC_SERIES }: MetricDefinition) {
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.maxSeries = maxSeries;
  }

  protected abstract create(): Series;

  protected series(first: LabelValue, second: LabelValue): Series {
    return this.tree.get(first)?.get(second) ?? this.add(first, second);
  }

  private add(first: LabelValue, second: LabelValue): Series {
    const isFull = this.size >= this.maxSeries && first !== OTHER_LABEL;
    if (isFull) return this.series(OTHER_LABEL, OTHER_LABEL);
    const branch = this.tree.get(first) ?? new Map<LabelValue, Series>();
    const series = this.create();
    this.tree.set(first, branch);
    branch.set(second, series);
    this.size += 1;
    return series;
  }

  /** Ends all series with this value of the first label. */
  remove(first: LabelValue): void {
    this.size -= this.tree.get(first)?.size ?? 0;
    this.tree.delete(first);
  }

  /** All series, each with its labels by name. */
  *entries(): Generator<[Record<string, LabelValue>, Series]> {
    const [one, two] = this.labels;
    for (const [first, branch] of this.tree) {
      for (const [second, series] of branch) {
        const labels: Record<string, LabelValue> = {};
        if (one !== undefined) labels[one] = first;
        if (two !== undefined) labels[two] = second;
        yield [labels, series];
      }
    }
  }
}

/** Numbers that only grow, by label. */
export class CounterFamily extends MetricFamily<{ value: number }> {
  readonly type = 'counter';

  protected create() {
    return { value: 0 };
  }

  /** Counts one event. */
  count(first: LabelValue = '', second: LabelValue = ''): void {
    this.series(first, second).value += 1;
  }
}

/** Durations of one series. */
export interface HistogramSeries {
  /**
   * How many are at most as long as each bound of the family and longer than the one before; the last entry has no
   * bound.
   */
  counts: number[];
  sum: number;
}

/** Durations in seconds, by label. */
export class HistogramFamily extends MetricFamily<HistogramSeries> {
  readonly type = 'histogram';
  /** The upper bounds of the buckets in ascending order. */
  readonly bounds: readonly number[];

  constructor({ bounds, ...definition }: MetricDefinition & { bounds: readonly number[] }) {
    super(definition);
    this.bounds = bounds;
  }

  protected create(): HistogramSeries {
    return { counts: Array.from({ length: this.bounds.length + 1 }, () => 0), sum: 0 };
  }

  observe(seconds: number, first: LabelValue = '', second: LabelValue = ''): void {
    const { bounds } = this;
    const series = this.series(first, second);
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at += 1;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += seconds;
  }
}
