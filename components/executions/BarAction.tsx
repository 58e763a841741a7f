import { ActionIcon, Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import Link from 'next/link';

interface Props {
  label: string;
  icon: Icon;
  /** Where it leads, or what it does. */
  to: string | (() => void);
}

/** Something in the bar over a run: a button with its name, on narrow screens without. */
export function BarAction({ label, icon: Icon, to }: Props) {
  const way = typeof to === 'string' ? { component: Link, href: to } : { onClick: to };
  return (
    <>
      <Button visibleFrom="sm" variant="default" leftSection={<Icon size={16} aria-hidden />} {...way}>
        {label}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size={36} aria-label={label} {...way}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </>
  );
}
