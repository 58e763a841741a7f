import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CopyIcon } from './CopyIcon';
import { jsonBeginning } from './json-text';
import classes from './JsonView.module.css';

/** Longer texts are slow to render. Copying always copies the whole value. */
const MOST = 40_000;

/** A JSON value with a copy button. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const { text, isCut } = useMemo(() => jsonBeginning(value, MOST), [value]);
  return (
    <section aria-label={label}>
      <div className={classes.head}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <CopyIcon label={`Copy ${label}`} value={() => JSON.stringify(value, null, 2)} isSmall />
      </div>
      <pre className={classes.code} tabIndex={0}>
        {text}
        {isCut && '\n… truncated. Copy the value to get all of it.'}
      </pre>
    </section>
  );
}
