import { Session } from 'node:inspector/promises';
import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';

/** The interval of the checks in milliseconds. A process rests if it did next to nothing since the last check. */
const MEMORY_CHECK_INTERVAL_MS = 10_000;
/**
 * Processor time per time. The utilization of the event loop would count the time in which another process has the
 * processor.
 */
const MAX_IDLE_UTILIZATION = 0.05;
/** Memory in bytes that is worth a collection: that of a start is more. */
const MIN_RETURNED_BYTES = 24 * 1024 * 1024;
/** A larger heap would stop the process for too long. In bytes. */
const MAX_COLLECTED_HEAP_BYTES = 256 * 1024 * 1024;

/** What decides whether memory is returned now. */
export interface MemoryState {
  /** Processor time per time since the last look. */
  utilization: number;
  /** In bytes: of objects, garbage included; and what V8 has reserved, now and after the last collection. */
  usedBytes: number;
  reservedBytes: number;
  reservedBeforeBytes: number;
}

/** Whether the process rests, and a collection is worth its time. */
export const isMemoryReturnDue = ({
  utilization,
  usedBytes,
  reservedBytes,
  reservedBeforeBytes,
}: MemoryState): boolean =>
  utilization < MAX_IDLE_UTILIZATION &&
  usedBytes < MAX_COLLECTED_HEAP_BYTES &&
  reservedBytes - reservedBeforeBytes > MIN_RETURNED_BYTES;

/**
 * Returns memory to the system once a process that has worked, or has just started, rests. V8 keeps the young
 * generation as large as work has made it, up to 96 MiB, and collects it only when it is full, which a process at rest
 * does not reach. A collection takes 0.2 to 0.4 s.
 *
 * @returns stops it
 */
export function startMemoryReturn(): () => Promise<void> {
  let lookedAt = performance.now();
  let cpuBefore = process.cpuUsage();
  let reservedBeforeBytes = 0;

  function utilization(): number {
    const { user, system } = process.cpuUsage(cpuBefore);
    const passedMs = performance.now() - lookedAt;
    cpuBefore = process.cpuUsage();
    lookedAt = performance.now();
    return (user + system) / 1000 / passedMs;
  }

  async function look(): Promise<void> {
    const { heapUsed: usedBytes, heapTotal: reservedBytes } = process.memoryUsage();
    if (!isMemoryReturnDue({ utilization: utilization(), usedBytes, reservedBytes, reservedBeforeBytes })) return;
    await collectAllGarbage();
    reservedBeforeBytes = process.memoryUsage().heapTotal;
  }

  const looking = repeatAction(look, MEMORY_CHECK_INTERVAL_MS, (error) =>
    serviceLog().warn({ err: error }, 'memory could not be returned'),
  );
  looking.wake();
  return () => looking.stop();
}

/** The only collection of Node.js that also shrinks the young generation; no flag is needed for it. */
async function collectAllGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
