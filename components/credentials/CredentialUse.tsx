import { Anchor, List, Text } from '@mantine/core';
import Link from 'next/link';
import { Section } from '../ui/Section';

export function CredentialUse({ workflows }: { workflows: { id: string; name: string }[] }) {
  return (
    <Section title="Used by">
      {workflows.length === 0 && (
        <Text size="sm" c="dimmed">
          No workflow uses it.
        </Text>
      )}
      <List size="sm" spacing={4} listStyleType="none">
        {workflows.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={Link} href={`/workflows/${id}`} inherit>
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
