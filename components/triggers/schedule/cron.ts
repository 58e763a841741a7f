import { useEffect, useState } from 'react';

/** Describes a cron expression such as `0 6 * * 1-5`. Undefined while loading or if it is not valid. */
export function useCronDescription(cron: string): string | undefined {
  const [words, setWords] = useState<{ cron: string; text: string | undefined }>();
  useEffect(() => {
    let isStale = false;
    void import('cronstrue').then(({ default: cronstrue }) => {
      if (!isStale) setWords({ cron, text: tryReadCron(cron, (text) => cronstrue.toString(text, CRONSTRUE_OPTIONS)) });
    });
    return () => {
      isStale = true;
    };
  }, [cron]);
  return words?.cron === cron ? words.text : undefined;
}

const CRONSTRUE_OPTIONS = { use24HourTimeFormat: true, throwExceptionOnParseError: true };

function tryReadCron<T>(cron: string, reader: (cron: string) => T): T | undefined {
  if (cron.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return reader(cron.trim());
  } catch {
    // Incomplete input. The service reports the error on save.
    return undefined;
  }
}

/** This number of next times is shown. */
const NEXT_TIMES_COUNT = 5;

/** The next times of a cron expression, as the service computes them. Undefined while loading or if there are none. */
export function useNextCronTimes(cron: string, timeZone: string): Date[] | undefined {
  const [next, setNext] = useState<{ key: string; times: Date[] | undefined }>();
  const key = `${cron} ${timeZone}`;
  useEffect(() => {
    let isStale = false;
    void import('croner').then(({ Cron }) => {
      if (!isStale) {
        const read5 = (text: string) =>
          new Cron(text, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(NEXT_TIMES_COUNT);
        setNext({ key, times: tryReadCron(cron, read5) });
      }
    });
    return () => {
      isStale = true;
    };
  }, [cron, timeZone, key]);
  return next?.key === key && next.times?.length ? next.times : undefined;
}
