import { getHeapStatistics } from 'node:v8';
import { Backlog } from './backlog';
import { Budget } from './budget';

/** What the process may use, in bytes. The shares below are characters of JSON: a parsed value takes several times as much. */
const { heap_size_limit: HEAP } = getHeapStatistics();

/** Large values that were loaded, for as long as somebody looks at them. */
export const loaded = new Budget(HEAP / 32);

/** Large answers that nodes receive and have not written yet. */
export const answers = new Budget(HEAP / 64);

/** What nodes came to and nobody has written yet. Whoever could make more writes first, and waits while it is too much. */
export const unwritten = new Backlog(HEAP / 64);

/** Outputs that one run keeps at hand; when they come to more, only very small ones stay. */
export const KEPT_BY_RUN = HEAP / 4096;

/** Items of one large loop that are loaded at a time, in bytes. */
export const STRETCH = Math.floor(HEAP / 4096);
