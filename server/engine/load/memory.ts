import { getHeapStatistics } from 'node:v8';
import { HighWaterMark } from './high-water-mark';
import { FairSemaphore } from './fair-semaphore';

/** Heap limit in bytes. The shares below are characters of JSON; a parsed value takes several times as much memory. */
const { heap_size_limit: HEAP } = getHeapStatistics();

/** Bounds the memory of large values that are loaded and not released yet. */
export const loadedValueMemory = new FairSemaphore(HEAP / 32);

/** Bounds the memory of large responses that nodes have received and not stored yet. */
export const nodeResponseMemory = new FairSemaphore(HEAP / 64);

/**
 * Counts the results that are not stored yet. Above the mark, a run waits before it computes more, after it has written
 * its own results.
 */
export const unwrittenResults = new HighWaterMark(HEAP / 64);

/** Limit of the outputs that one run keeps in memory. Above it, only very small outputs stay. */
export const MAX_KEPT_OUTPUT_BYTES = HEAP / 4096;

/** Page size for the items of a large loop, in bytes. */
export const LOOP_ITEM_PAGE_BYTES = Math.floor(HEAP / 4096);
