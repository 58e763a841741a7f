import { UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Timeline } from './Timeline';
import classes from './TimelineDock.module.css';

/** The timeline below the canvas, visible while nodes are selected. */
export function TimelineDock(props: ComponentProps<typeof Timeline>) {
  const [isOpen, setOpen] = useLocalStorage({ key: 'weft.timeline', defaultValue: true });
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  return (
    <section className={classes.dock} aria-label="Timeline of the run">
      <UnstyledButton className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Chevron size={15} aria-hidden /> Timeline
      </UnstyledButton>
      {isOpen && (
        <div className={classes.body} tabIndex={0} role="region" aria-label="Timeline, scrollable">
          <Timeline {...props} />
        </div>
      )}
    </section>
  );
}
