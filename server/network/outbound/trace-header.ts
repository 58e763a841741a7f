import { getRuntime } from '@/server/platform/runtime';

/**
 * The context of the trace for a call of a workflow; empty without traces, or if TRACE_OUTGOING is false. A header that
 * the workflow sets itself counts instead. A redirect to another origin does not get it.
 */
export function outgoingTraceHeader(): { traceparent?: string } {
  const { env, tracing } = getRuntime();
  const span = env.isTraceSent ? tracing?.active : undefined;
  return span ? { traceparent: span.traceparent } : {};
}
