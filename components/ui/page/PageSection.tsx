import { Group, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './PageSection.module.css';

interface Props {
  title: string;
  summary?: string;
  /** Shown opposite the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A titled section of a page. */
export function PageSection({ title, summary, aside, children }: Props) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div className={classes.head}>
          <Title order={2} id={id} fz="md">
            {title}
          </Title>
          {summary && (
            <Text size="sm" c="dimmed" mt={2}>
              {summary}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      {children}
    </section>
  );
}
