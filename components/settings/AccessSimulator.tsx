import { Alert, Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Reason } from '@/contract/role';
import { Action, Resource } from '@/contract/security';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useMe } from '../shell/useMe';
import { ErrorNote } from '../ui/ErrorNote';
import { Section } from '../ui/Section';
import { MATRIX, permissionText, wordsOf } from './role-matrix';

interface Question {
  userId: string;
  resource: Resource;
  action: Action;
  resourceId?: string;
}

/** May this person do that, and by which of their roles? */
export function AccessSimulator() {
  const trpc = useTRPC();
  const { me, workspace } = useMe();
  const [userId, setUserId] = useState<string>();
  const [resource, setResource] = useState<Resource>('workflow');
  const [action, setAction] = useState<Action>('update');
  const [resourceId, setResourceId] = useState('');
  const [question, setQuestion] = useState<Question>();
  const members = useQuery(
    trpc.members.list.queryOptions(
      { params: { id: workspace?.id ?? '' }, query: { limit: 100 } },
      { enabled: workspace !== undefined },
    ),
  );
  const { data, error, isFetching } = useQuery(
    trpc.rbac.check.queryOptions(
      { query: question ?? { resource, action } },
      { enabled: question !== undefined, staleTime: 0 },
    ),
  );
  const { at, elsewhere } = fieldErrorsOf(error, (field) => ['userId', 'resourceId'].includes(field));
  const who = userId ?? me?.user.id ?? '';
  const people = (members.data?.data ?? []).flatMap((member) =>
    member.userId ? [{ value: member.userId, label: `${member.name} (${member.email})` }] : [],
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setQuestion({ userId: who, resource, action, resourceId: resourceId.trim() || undefined });
  };
  return (
    <Section title="Try it out" summary="May somebody do something, and why?">
      <form onSubmit={submit}>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Group gap="sm" align="flex-start">
            <Select
              label="Person"
              miw={220}
              searchable
              allowDeselect={false}
              data={people}
              value={who}
              error={at.get('userId')}
              onChange={(value) => value && setUserId(value)}
            />
            <Select
              label="Resource"
              w={150}
              allowDeselect={false}
              data={Resource.options.map((value) => ({ value, label: wordsOf(value) }))}
              value={resource}
              onChange={(value) => {
                const next = Resource.parse(value);
                setResource(next);
                if (!MATRIX[next].includes(action)) setAction('read');
              }}
            />
            <Select
              label="Action"
              w={130}
              allowDeselect={false}
              data={MATRIX[resource]}
              value={action}
              onChange={(value) => setAction(Action.parse(value))}
            />
            <TextInput
              label="Id of one object"
              placeholder="any"
              value={resourceId}
              error={at.get('resourceId')}
              onChange={(event) => setResourceId(event.currentTarget.value)}
            />
          </Group>
          <Button type="submit" variant="light" w="fit-content" loading={isFetching}>
            Check
          </Button>
          {data && !error && (
            <Alert
              color={data.allowed ? 'verdigris' : 'madder'}
              role="status"
              title={data.allowed ? `Allowed, by ${data.roles.join(', ')}` : 'Not allowed'}
            >
              <Reasons reasons={data.reasons} />
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}

function Reasons({ reasons }: { reasons: Reason[] }) {
  if (reasons.length === 0) return <Text size="sm">No role of theirs speaks of it.</Text>;
  return (
    <List size="sm" spacing={4}>
      {reasons.map(({ path, permission, on, failed }) => (
        <List.Item key={`${path.join('/')}${permissionText(permission)}${on?.id ?? ''}`}>
          {path.join(' → ')}: {permissionText(permission)}
          {on && ` (on ${wordsOf(on.type)} ${on.id})`}
          {failed.length > 0 && `. Not here: ${failed.join('; ')}`}
        </List.Item>
      ))}
    </List>
  );
}
