import { CloseButton, Group, ScrollArea, Title } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { PanelEdge, usePanelWidth } from './PanelEdge';
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
  const size = usePanelWidth();
  return (
    <aside className={classes.panel} style={{ '--panel-width': `${size.width}px` } as CSSProperties} aria-label={label}>
      <PanelEdge {...size} />
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
