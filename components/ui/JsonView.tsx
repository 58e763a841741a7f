import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CopyIcon } from './CopyIcon';
import { jsonBeginning } from './json-text';
import classes from './JsonView.module.css';

/** Longer ones would make the page slow; copying takes the whole. */
const MOST = 40_000;

/** A JSON value to read and to copy. */
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
        {isCut && '\n… and more, which copying takes along'}
      </pre>
    </section>
  );
}
