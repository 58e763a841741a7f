import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import { Section } from '@/components/ui/page/Section';
import { hiddenUses } from './hidden-uses';

interface Props {
  workflows: { id: string; name: string }[];
  /** Number of workflows that the person may not see. */
  others: number;
}

export function CredentialUse({ workflows, others }: Props) {
  return (
    <Section title="Used by">
      {workflows.length + others === 0 && (
        <Text size="sm" c="dimmed">
          No workflow uses this credential.
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
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {hiddenUses(others)}
        </Text>
      )}
    </Section>
  );
}
