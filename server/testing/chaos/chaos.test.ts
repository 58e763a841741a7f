import { expect, it } from 'vitest';
import { chaos } from './chaos';

it('whatever dies under load, every promise is kept', { tags: 'long' }, async () => {
  const report = await chaos({ seed: 7, milliseconds: 10_000, clients: 12, webs: 1, withRedis: true });
  // As text, so that a failure shows each violation in full.
  expect(report.violations.join('\n')).toBe('');
  expect(report.rest.executions.length).toBeGreaterThan(0);
});
