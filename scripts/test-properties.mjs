// In each worker of Vitest: how many random values property tests try, and which.
import fc from 'fast-check';

const seed = Number.parseInt(process.env.TEST_SEED ?? '', 10);
fc.configureGlobal({ numRuns: Number(process.env.PROPERTY_RUNS), ...(Number.isNaN(seed) ? {} : { seed }) });
