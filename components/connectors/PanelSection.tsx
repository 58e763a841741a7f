import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A part of the panel of a connector, with its title. */
export function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} fz="sm" fw={570} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
