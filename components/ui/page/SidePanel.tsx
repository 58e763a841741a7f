import { ActionIcon, CloseButton, Group, ScrollArea, Title } from '@mantine/core';
import { IconArrowBarLeft, IconArrowBarRight } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { LightTooltip } from '../LightTooltip';
import { ResizeHandle, useStoredWidth } from './ResizeHandle';
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
const PANEL_WIDTH_LIMITS = { initial: 372, least: 320, most: () => (window.innerWidth * 2) / 3 };
/** A panel of at least this width counts as wide. */
const MIN_WIDE_PANEL_PX = 640;

/** A panel beside the canvas; on narrow screens below it. */
export function SidePanel({ label, icon, title, onClose, children }: Props) {
  const size = useStoredWidth('weft.panelWidth', PANEL_WIDTH_LIMITS);
  const isWide = size.width >= MIN_WIDE_PANEL_PX;
  const Arrow = isWide ? IconArrowBarRight : IconArrowBarLeft;
  const resizing = isWide ? 'Narrow panel' : 'Wide panel';
  return (
    <aside className={classes.panel} style={{ '--panel-width': `${size.width}px` } as CSSProperties} aria-label={label}>
      <ResizeHandle label="Width of the panel" side="left" {...size} />
      <Group className={classes.head} wrap="nowrap" gap={6}>
        {icon}
        <div className={classes.title}>
          {title ?? (
            <Title order={2} size="h3">
              {label}
            </Title>
          )}
        </div>
        <LightTooltip label={resizing}>
          <ActionIcon
            className={classes.wide}
            aria-label={resizing}
            onClick={() => (isWide ? size.reset() : size.resize(PANEL_WIDTH_LIMITS.most()))}
          >
            <Arrow size={16} aria-hidden />
          </ActionIcon>
        </LightTooltip>
        {onClose && <CloseButton aria-label={`Close ${label}`} onClick={onClose} />}
      </Group>
      <ScrollArea className={classes.body} type="auto" scrollbarSize={8}>
        <div className={classes.content}>{children}</div>
      </ScrollArea>
    </aside>
  );
}
