import { Text } from '@mantine/core';
import { use, useEffect, useState } from 'react';
import classes from './Field.module.css';
import { missingName, type MissingName } from './missing-name';
import { PreviewContext, type Preview } from './preview';
import { problemIn, resolve, resolveAll, type Outcome } from './resolve';

const MOST = 400;
const REST_MS = 150;

interface Props {
  value: unknown;
  isBare: boolean;
  /** The field shows an error already. */
  isFaulty?: boolean;
}

/** Preview of the expressions of a value with the current data, or their error. A name that the data lacks is named. */
export function Resolved({ value, isBare, isFaulty = false }: Props) {
  const preview = use(PreviewContext);
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
  if (!preview || !outcome) return null;
  if ('problem' in outcome)
    return isFaulty ? null : (
      <Text size="xs" mt={4} c="var(--weft-failed)" aria-live="polite">
        {outcome.problem}
      </Text>
    );
  if ('laterFor' in outcome)
    return (
      <Text size="xs" mt={4} c="dimmed" aria-live="polite">
        The run computes {outcome.laterFor}: there is no preview.
      </Text>
    );
  const shown = outcome.value === undefined ? 'nothing' : JSON.stringify(outcome.value);
  const missing = misspeltIn(value, isBare, preview, outcome.value === undefined);
  return (
    <div aria-live="polite">
      <Text
        size="xs"
        mt={4}
        c={missing ? 'var(--weft-waiting)' : 'var(--weft-done)'}
        ff="monospace"
        style={{ overflowWrap: 'anywhere' }}
      >
        = {shown.slice(0, MOST)}
        {shown.length > MOST && ' …'}
        {preview.isPartial && <span className={classes.aside}> · some data is not loaded</span>}
      </Text>
      {missing && (
        <Text size="xs" c="var(--weft-waiting)">
          {missing.within} has no “{missing.name}” in this data.
          {missing.near && ` Did you mean “${missing.near}”?`}
        </Text>
      )}
    </div>
  );
}

/** A name that is missing and similar to another. If the expression yields nothing, any missing name. */
function misspeltIn(
  value: unknown,
  isBare: boolean,
  { scope, hasData, isPartial }: Preview,
  isNothing: boolean,
): MissingName | undefined {
  if (typeof value !== 'string' || !hasData || isPartial) return undefined;
  const sources = isBare ? [value] : [...value.matchAll(/\{\{([\s\S]*?)\}\}/g)].map(([, source = '']) => source);
  const found = sources.flatMap((source) => missingName(source, scope) ?? []);
  return found.find(({ near }) => near !== undefined) ?? (isNothing ? found[0] : undefined);
}
