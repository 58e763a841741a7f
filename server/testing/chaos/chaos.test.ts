import { expect, it } from 'vitest';
import { chaos } from './chaos';

const LIMIT_MS = 120_000;

it(
  'whatever dies under load, every promise is kept',
  async () => {
    const report = await chaos({ seed: 7, milliseconds: 10_000, clients: 12, webs: 1, withRedis: true });
    expect(report.violations).toEqual([]);
    expect(report.rest.executions.length).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
