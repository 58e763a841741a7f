import { CloseButton, Group, ScrollArea, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SidePanel.module.css';

interface Props {
  label: string;
  /** Shown before the label. */
  icon?: ReactNode;
  title?: ReactNode;
  onClose?(): void;
  children: ReactNode;
}

/** A panel beside the canvas; on narrow screens below it. */
export function SidePanel({ label, icon, title, onClose, children }: Props) {
  return (
    <aside className={classes.panel} aria-label={label}>
      <Group className={classes.head} wrap="nowrap" gap={10}>
        {icon}
        <div className={classes.title}>{title ?? <Title order={3}>{label}</Title>}</div>
        {onClose && <CloseButton aria-label={`Close ${label}`} onClick={onClose} />}
      </Group>
      <ScrollArea className={classes.body} type="auto" scrollbarSize={8}>
        <div className={classes.content}>{children}</div>
      </ScrollArea>
    </aside>
  );
}
