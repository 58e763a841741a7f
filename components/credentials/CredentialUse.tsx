import { Anchor, List, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import { PageSection } from '@/components/ui/page/PageSection';
import { describeHiddenUses } from './hidden-uses';

interface Props {
  workflows: { id: string; name: string }[];
  /** Number of workflows that the person may not see. */
  others: number;
}

export function CredentialUse({ workflows, others }: Props) {
  return (
    <PageSection title="Used by">
      {workflows.length + others === 0 && (
        <Text size="sm" c="dimmed">
          No workflow uses this credential.
        </Text>
      )}
      <List size="sm" spacing={4} listStyleType="none">
        {workflows.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={AppLink} href={`/workflows/${id}`} inherit>
              {name}
            </Anchor>
          </List.Item>
        ))}
      </List>
      {others > 0 && (
        <Text size="sm" c="dimmed">
          {describeHiddenUses(others)}
        </Text>
      )}
    </PageSection>
  );
}
