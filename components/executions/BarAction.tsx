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
export function BarAction({ label, icon: Icon, to, ...given }: Props) {
  const isLink = typeof to === 'string';
  const way = {
    variant: 'default',
    renderRoot: isLink ? (props: object) => <Link href={to} {...props} /> : undefined,
    onClick: isLink ? undefined : to,
    // What is put around it may watch it, or hold it back.
    ...given,
  };
  return (
    <>
      <Button {...way} visibleFrom="sm" leftSection={<Icon size={16} aria-hidden />}>
        {label}
      </Button>
      <ActionIcon {...way} hiddenFrom="sm" size={36} aria-label={label}>
        <Icon size={17} aria-hidden />
      </ActionIcon>
    </>
  );
}
