import { useEffect, useState } from 'react';

/** Describes a cron expression such as `0 6 * * 1-5`. Undefined while loading or if it is not valid. */
export function useCronWords(cron: string): string | undefined {
  const [words, setWords] = useState<{ cron: string; text: string | undefined }>();
  useEffect(() => {
    let isStale = false;
    void import('cronstrue').then(({ default: cronstrue }) => {
      if (!isStale) setWords({ cron, text: read(cron, (text) => cronstrue.toString(text, OPTIONS)) });
    });
    return () => {
      isStale = true;
    };
  }, [cron]);
  return words?.cron === cron ? words.text : undefined;
}

const OPTIONS = { use24HourTimeFormat: true, throwExceptionOnParseError: true };

function read<T>(cron: string, reader: (cron: string) => T): T | undefined {
  if (cron.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return reader(cron.trim());
  } catch {
    // Incomplete input. The service reports the error on save.
    return undefined;
  }
}

/** How many next times are shown. */
const SHOWN = 5;

/** The next times of a cron expression, as the service computes them. Undefined while loading or if there are none. */
export function useNextTimes(cron: string, timeZone: string): Date[] | undefined {
  const [next, setNext] = useState<{ key: string; times: Date[] | undefined }>();
  const key = `${cron} ${timeZone}`;
  useEffect(() => {
    let isStale = false;
    void import('croner').then(({ Cron }) => {
      if (!isStale) {
        const read5 = (text: string) =>
          new Cron(text, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(SHOWN);
        setNext({ key, times: read(cron, read5) });
      }
    });
    return () => {
      isStale = true;
    };
  }, [cron, timeZone, key]);
  return next?.key === key && next.times?.length ? next.times : undefined;
}
