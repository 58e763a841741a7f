import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CopyIcon } from './CopyIcon';
import classes from './JsonView.module.css';

/** Longer ones would make the page slow; copying takes the whole. */
const MOST = 40_000;

/** A JSON value to read and to copy. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? '', [value]);
  return (
    <section aria-label={label}>
      <div className={classes.head}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <CopyIcon label={`Copy ${label}`} value={text} isSmall />
      </div>
      <pre className={classes.code} tabIndex={0}>
        {text.slice(0, MOST)}
        {text.length > MOST && `\n… ${text.length - MOST} more characters`}
      </pre>
    </section>
  );
}
