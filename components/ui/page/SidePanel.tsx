import { ActionIcon, CloseButton, Group, ScrollArea, Title } from '@mantine/core';
import { IconArrowBarLeft, IconArrowBarRight } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { Hint } from '../Hint';
import { ResizeEdge, useStoredWidth } from './ResizeEdge';
import classes from './SidePanel.module.css';

interface Props {
  label: string;
  /** Shown before the label. */
  icon?: ReactNode;
  title?: ReactNode;
  onClose?(): void;
  children: ReactNode;
}

/** At least a third of the window is left to the canvas. */
const SIZE = { initial: 372, least: 320, most: () => (window.innerWidth * 2) / 3 };
/** From this width on, the panel counts as wide. */
const WIDE = 640;

/** A panel beside the canvas; on narrow screens below it. */
export function SidePanel({ label, icon, title, onClose, children }: Props) {
  const size = useStoredWidth('weft.panelWidth', SIZE);
  const isWide = size.width >= WIDE;
  const Arrow = isWide ? IconArrowBarRight : IconArrowBarLeft;
  const resizing = isWide ? 'Narrow panel' : 'Wide panel';
  return (
    <aside className={classes.panel} style={{ '--panel-width': `${size.width}px` } as CSSProperties} aria-label={label}>
      <ResizeEdge label="Width of the panel" side="left" {...size} />
      <Group className={classes.head} wrap="nowrap" gap={6}>
        {icon}
        <div className={classes.title}>
          {title ?? (
            <Title order={2} size="h3">
              {label}
            </Title>
          )}
        </div>
        <Hint label={resizing}>
          <ActionIcon
            className={classes.wide}
            aria-label={resizing}
            onClick={() => (isWide ? size.reset() : size.resize(SIZE.most()))}
          >
            <Arrow size={16} aria-hidden />
          </ActionIcon>
        </Hint>
        {onClose && <CloseButton aria-label={`Close ${label}`} onClick={onClose} />}
      </Group>
      <ScrollArea className={classes.body} type="auto" scrollbarSize={8}>
        <div className={classes.content}>{children}</div>
      </ScrollArea>
    </aside>
  );
}
