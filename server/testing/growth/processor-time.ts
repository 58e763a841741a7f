import { openSync, readSync } from 'node:fs';

/** Newer versions of Node.js tell the processor time of the thread that asks. */
const threadUsage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.bind(process);

const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

const pause = new Int32Array(new SharedArrayBuffer(4));
const line = Buffer.alloc(64);
let schedule: number | undefined;

/** What Linux has counted for this thread, without the time in which it waited for a processor. */
function scheduledMs(): number {
  schedule ??= openSync('/proc/thread-self/schedstat', 'r');
  // Linux brings the figure up to date when the thread leaves the processor.
  Atomics.wait(pause, 0, 0, 0.01);
  const length = readSync(schedule, line, 0, line.length, 0);
  return Number(line.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
}

function chooseClock(): () => number {
  if (threadUsage) return () => inMs(threadUsage());
  try {
    scheduledMs();
    return scheduledMs;
  } catch {
    // Not Linux. Threads of the collector and of libuv are counted with it.
    return () => inMs(process.cpuUsage());
  }
}

/**
 * Milliseconds of a processor that this thread has used so far. A machine that is busy with other work does not make it
 * faster.
 */
export const readProcessorMs: () => number = chooseClock();

/** Processor time of the main thread, in milliseconds. */
export interface Cost {
  total: number;
  /** The longest time for which the event loop answered nobody else. */
  longest: number;
}

/**
 * How often it is looked for the longest stretch: while the thread works, and while it waits. Short ones within this
 * time are taken for one.
 */
const WORKING_MS = 1;
const WAITING_MS = 4;

/** What a look at the clock costs, in milliseconds. */
const LOOK_MS = (() => {
  const startedAt = readProcessorMs();
  for (let times = 0; times < 50; times += 1) readProcessorMs();
  return (readProcessorMs() - startedAt) / 51;
})();

/** What the work costs this thread until its promise is settled. */
export async function measureCost(work: () => Promise<unknown>): Promise<Cost> {
  const startedAt = readProcessorMs();
  let last = startedAt;
  let longest = 0;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = readProcessorMs();
    const stretch = now - last - LOOK_MS;
    longest = Math.max(longest, stretch);
    last = now;
    looks += 1;
    timer = setTimeout(look, stretch > LOOK_MS ? WORKING_MS : WAITING_MS);
  };
  look();
  try {
    await work();
  } finally {
    clearTimeout(timer);
    look();
    clearTimeout(timer);
  }
  return { total: last - startedAt - looks * LOOK_MS, longest };
}

const SAMPLE = JSON.stringify(
  Array.from({ length: 2000 }, (_, at) => ({ name: `n${at}`, value: at, list: [at, at + 1] })),
);

/** Work of a kind that the service does: texts are parsed, scanned and looked up. */
function calibrate(): number {
  const startedAt = readProcessorMs();
  const names = new Map<string, number>();
  let quotes = 0;
  for (let round = 0; round < 4; round += 1) {
    for (const { name, value } of JSON.parse(SAMPLE) as { name: string; value: number }[]) names.set(name, value);
    for (let at = 0; at < SAMPLE.length; at += 1) if (SAMPLE.charCodeAt(at) === 34) quotes += 1;
  }
  if (names.size !== 2000 || quotes === 0) throw new Error('The calibration loop did not do its work.');
  return readProcessorMs() - startedAt;
}

/** What the calibration loop takes on the machine of docs/performance.md, in milliseconds. */
const REFERENCE_MS = 10;

/** How many times longer this process takes at the moment than on the machine of docs/performance.md. */
export const measureSlowness = (): number => Math.min(...Array.from({ length: 4 }, calibrate)) / REFERENCE_MS;
