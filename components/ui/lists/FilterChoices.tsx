import { Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import classes from './FilterChoices.module.css';

interface Props {
  /** How many of the choices are set. */
  count: number;
  /** Where there is room they stand beside the search. */
  isBeside?: boolean;
  /** Fields and buttons. */
  children: ReactNode;
}

/** The choices that filter a list. On a phone they are behind a button, so that the list comes first. */
export function FilterChoices({ count, isBeside, children }: Props) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={isOpened}
        onClick={() => setOpened(!isOpened)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <Group
        gap="sm"
        align="flex-start"
        className={classes.choices}
        data-beside={isBeside || undefined}
        data-opened={isOpened || undefined}
      >
        {children}
      </Group>
    </>
  );
}
