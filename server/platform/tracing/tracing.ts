declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Undefined: traces are not exported, and nothing is spent on them. */
    tracing?: TraceRecorder;
  }
}

export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanEndDetails {
  attributes?: SpanAttributes;
  /** A new name. */
  name?: string;
  /** The code of the failure. Messages are not exported: they may contain data of users. */
  error?: string;
}

/** One timed piece of work in a trace. */
export interface TraceSpan {
  /** Names it to other systems: the `traceparent` header of W3C Trace Context. */
  readonly traceparent: string;
  readonly traceId: string;
  /** Carries out work, which finds this span as `Tracing.active`, also after it has waited. */
  run<T>(work: () => T): T;
  /** Exports the span. A span that never ends is not exported. */
  end(facts?: SpanEndDetails): void;
}

export interface SpanStart {
  name: string;
  kind: 'server' | 'consumer' | 'internal';
  /** A `traceparent` from outside is checked; one that is not well formed counts as absent. */
  parent: TraceSpan | string | null;
  attributes: SpanAttributes;
}

/** Makes spans and exports them. The only implementation is loaded when an endpoint is configured. */
export interface TraceRecorder {
  readonly active: TraceSpan | undefined;
  start(span: SpanStart): TraceSpan;
  /**
   * The span of a stored object, which has the same ids in every process and after every restart: nodes that run in
   * several processes belong to one run. `id`: of the object. `startedAt`: milliseconds since 1970.
   */
  startStored(span: SpanStart, id: string, startedAt: number): TraceSpan;
  /** Carries out work that belongs to no span, although one may have caused it. */
  outside<T>(work: () => T): T;
  /** Exports what is left, within a few seconds. */
  close(): Promise<void>;
}
