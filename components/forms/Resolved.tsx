import { Text } from '@mantine/core';
import { use } from 'react';
import classes from './Field.module.css';
import { missingName, type MissingName } from './model/missing-name';
import { PreviewContext, type Preview } from './preview';
import { useOutcome } from './large/useOutcome';

const MOST = 400;

interface Props {
  value: unknown;
  isBare: boolean;
  /** The field shows an error already. */
  isFaulty?: boolean;
}

/** Preview of the expressions of a value with the current data, or their error. A name that the data lacks is named. */
export function Resolved({ value, isBare, isFaulty = false }: Props) {
  const preview = use(PreviewContext);
  const outcome = useOutcome(value, isBare, preview);
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
