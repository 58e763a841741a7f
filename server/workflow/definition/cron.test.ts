import { describe, expect, it } from 'vitest';
import { cronIssues, nextCronTimes } from './cron';

describe('cronIssues', () => {
  it.each(['* * * * *', '*/5 8-18 * * 1-5', '0 6 1 jan *', '0 0 29 2 *'])('accepts %s', (cron) => {
    expect(cronIssues(cron, 'Europe/Berlin')).toEqual([]);
  });
  it.each(['', '* * * *', '* * * * * *', '61 * * * *', 'every day at six', '0 0 31 2 *', '@daily'])(
    'refuses "%s"',
    (cron) => {
      expect(cronIssues(cron, 'UTC')).toMatchObject([{ field: 'cron' }]);
    },
  );
  it.each(['Mars/Olympus', '', 'UTC; DROP'])('refuses the time zone "%s"', (timezone) => {
    expect(cronIssues('* * * * *', timezone)).toMatchObject([{ field: 'timezone' }]);
  });
});

describe('nextTimes', () => {
  it('follows the time zone over a change of clocks', () => {
    const times = nextCronTimes('0 6 * * *', 'Europe/Berlin', new Date('2026-03-28T12:00:00Z'), 2);
    expect(times.map((time) => time.toISOString())).toEqual(['2026-03-29T04:00:00.000Z', '2026-03-30T04:00:00.000Z']);
  });
});
