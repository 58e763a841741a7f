import { Text } from '@mantine/core';
import { use, useEffect, useState } from 'react';
import classes from './Field.module.css';
import { PreviewContext } from './preview';
import { problemIn, resolve, resolveAll, type Outcome } from './resolve';

const MOST = 400;
const REST_MS = 150;

interface Props {
  value: unknown;
  isBare: boolean;
  /** The field shows an error already. */
  isFaulty?: boolean;
}

/** Preview of the expressions of a value with the current data, or their error. */
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
  return (
    <Text size="xs" mt={4} c="var(--weft-done)" ff="monospace" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
      = {shown.slice(0, MOST)}
      {shown.length > MOST && ' …'}
      {preview.isPartial && <span className={classes.aside}> · some data is not loaded</span>}
    </Text>
  );
}
