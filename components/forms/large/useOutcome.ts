import { useEffect, useState } from 'react';
import type { Preview } from '../preview';
import { problemIn, resolve, resolveAll, type Outcome } from '../model/resolve';

const REST_MS = 150;

/** The value of the expressions in a value with the current data, or their error. Undefined: not known yet, or there is no data. */
export function useOutcome(value: unknown, isBare: boolean, preview: Preview | undefined): Outcome | undefined {
  const [outcome, setOutcome] = useState<Outcome>();
  const written = JSON.stringify(value);
  useEffect(() => {
    if (!preview) return;
    const { scope, hasData } = preview;
    const given = JSON.parse(written) as unknown;
    const look = async () => {
      if (typeof given !== 'string') return hasData ? resolveAll(given, scope) : undefined;
      return hasData ? resolve(given, scope, isBare) : problemIn(given, isBare);
    };
    let isStale = false;
    const timer = setTimeout(() => {
      void look().then((next) => {
        if (!isStale) setOutcome(next);
      });
    }, REST_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [written, isBare, preview]);
  return outcome;
}
