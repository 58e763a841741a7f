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

function read(cron: string, toWords: (cron: string) => string): string | undefined {
  if (cron.trim().split(/\s+/).length !== 5) return undefined;
  try {
    return toWords(cron);
  } catch {
    // Incomplete input. The service reports the error on save.
    return undefined;
  }
}
