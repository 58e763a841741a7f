import { Button, Group, Text } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import { CopyIconButton } from './CopyIconButton';
import { truncatedJsonText } from './json-text';
import { tokenizeJson } from './json-tokens';
import classes from './JsonView.module.css';

/** Longer texts are slow to render: this much is shown at first, and added by “Show more”. */
const INITIAL_JSON_CHARACTERS = 40_000;
const MAX_VISIBLE_JSON_CHARACTERS = 1_000_000;

/** A JSON value with a copy button. Copying always copies the whole value. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  const [most, setMost] = useState(INITIAL_JSON_CHARACTERS);
  const { text, isCut } = useMemo(() => truncatedJsonText(value, most), [value, most]);
  return (
    <section aria-label={label} className={classes.view}>
      <div className={classes.head}>
        <Text size="xs" fw={600} c="dimmed">
          {label}
        </Text>
        <CopyIconButton label={`Copy ${label}`} value={() => JSON.stringify(value, null, 2)} isSmall />
      </div>
      <pre className={classes.code} tabIndex={0}>
        <ColouredJson text={text} />
        {isCut && '\n…'}
      </pre>
      {isCut && (
        <Group gap="xs" mt={6}>
          {most < MAX_VISIBLE_JSON_CHARACTERS && (
            <Button size="compact-xs" variant="light" onClick={() => setMost(most * 5)}>
              Show more
            </Button>
          )}
          <Text size="xs" c="dimmed">
            This is the beginning. Copy the value to get all of it.
          </Text>
        </Group>
      )}
    </section>
  );
}

const ColouredJson = memo(function Coloured({ text }: { text: string }) {
  return tokenizeJson(text).map(({ text: part, kind }, at) =>
    kind ? (
      <span key={at} data-kind={kind}>
        {part}
      </span>
    ) : (
      part
    ),
  );
});
