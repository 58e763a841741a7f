import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type IdGenerator,
} from '@opentelemetry/sdk-trace-base';
import { version } from '@/server/platform/release';
import type { TraceSpan, SpanEndDetails, SpanStart, TraceRecorder } from './tracing';

const SPAN_KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };
/** The time to export the last spans while the process stops. */
const EXPORT_CLOSE_TIMEOUT_MS = 3000;

/** Random ids, except for the span that is started next after `use`. */
class SpanIdGenerator implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private next: { traceId: string; spanId: string } | undefined;

  use<T>(ids: { traceId: string; spanId: string }, work: () => T): T {
    this.next = ids;
    try {
      return work();
    } finally {
      this.next = undefined;
    }
  }

  readonly generateTraceId = (): string => this.next?.traceId ?? this.random.generateTraceId();
  readonly generateSpanId = (): string => this.next?.spanId ?? this.random.generateSpanId();
}

function deriveSpanIds(id: string): { traceId: string; spanId: string } {
  const hash = createHash('sha256').update(id).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

class OpenTelemetrySpan implements TraceSpan {
  constructor(
    readonly span: OtelSpan,
    private readonly active: AsyncLocalStorage<OpenTelemetrySpan | undefined>,
  ) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  run<T>(work: () => T): T {
    return this.active.run(this, work);
  }

  end({ attributes = {}, name, error }: SpanEndDetails = {}): void {
    if (name !== undefined) this.span.updateName(name);
    this.span.setAttributes(attributes);
    if (error !== undefined) {
      this.span.setAttribute('error.type', error);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

class OpenTelemetryTracing implements TraceRecorder {
  private readonly current = new AsyncLocalStorage<OpenTelemetrySpan | undefined>();

  constructor(
    private readonly provider: BasicTracerProvider,
    private readonly tracer: Tracer,
    private readonly ids: SpanIdGenerator,
    private readonly closeMs: number,
  ) {}

  get active(): TraceSpan | undefined {
    return this.current.getStore();
  }

  start(span: SpanStart): TraceSpan {
    return this.begin(span, {});
  }

  startStored(span: SpanStart, id: string, startTime: number): TraceSpan {
    // A number could be taken for one of the process's own clock.
    return this.ids.use(deriveSpanIds(id), () => this.begin(span, { startTime: new Date(startTime) }));
  }

  private begin({ name, kind, parent, attributes }: SpanStart, options: SpanOptions): TraceSpan {
    const span = this.tracer.startSpan(name, { ...options, kind: SPAN_KINDS[kind], attributes }, parentContext(parent));
    return new OpenTelemetrySpan(span, this.current);
  }

  outside<T>(work: () => T): T {
    return this.current.run(undefined, work);
  }

  async close(): Promise<void> {
    await Promise.race([this.provider.shutdown(), pause(this.closeMs, undefined, { ref: false })]);
  }
}

function parentContext(parent: SpanStart['parent']): Context {
  if (parent instanceof OpenTelemetrySpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const remote = typeof parent === 'string' ? parseTraceParent(parent) : null;
  return remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT;
}

/**
 * Exports spans by OTLP over HTTP (protobuf). Endpoint, headers, sampling, batches and the attributes of the service
 * follow the standard variables OTEL_…, which the library reads. `onWarning`: the endpoint could not be reached, or
 * refused spans.
 */
export function openTraceExport(
  onWarning: (message: string) => void,
  { closeMs = EXPORT_CLOSE_TIMEOUT_MS } = {},
): TraceRecorder {
  const quiet = () => undefined;
  const warn = (message: string) => onWarning(message);
  const logger = { error: warn, warn, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const ids = new SpanIdGenerator();
  const named = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'weft', 'service.version': version }).merge(named),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    idGenerator: ids,
  });
  return new OpenTelemetryTracing(provider, provider.getTracer('weft'), ids, closeMs);
}
