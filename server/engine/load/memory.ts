import { getHeapStatistics } from 'node:v8';
import { HighWaterMark } from './high-water-mark';
import { FairSemaphore } from './fair-semaphore';

/** Heap limit in bytes. The shares below are characters of JSON; a parsed value takes several times as much memory. */
const { heap_size_limit: HEAP } = getHeapStatistics();

/** Large values that are loaded, until they are released. */
export const loaded = new FairSemaphore(HEAP / 32);

/** Large responses that nodes receive and have not written yet. */
export const answers = new FairSemaphore(HEAP / 64);

/** Results that are not stored yet. Work that would add more writes its own results first, and waits above the mark. */
export const unwritten = new HighWaterMark(HEAP / 64);

/** Outputs that one run keeps in memory; above this amount only very small outputs stay. */
export const KEPT_BY_RUN = HEAP / 4096;

/** Page size for the items of a large loop, in bytes. */
export const ITEM_PAGE = Math.floor(HEAP / 4096);
