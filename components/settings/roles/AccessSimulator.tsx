import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Action, ACTIONS, Resource } from '@/contract/access/security';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useMe } from '@/components/client/useMe';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Section } from '@/components/ui/page/Section';
import { AccessReasons } from './AccessReasons';
import { ObjectField } from '../members/ObjectField';
import { wordsOf } from './role-matrix';
import { usePeople } from '@/components/client/queries/usePeople';

interface Question {
  userId: string;
  resource: Resource;
  action: Action;
  resourceId?: string;
}

/** Checks a permission of a user, and explains the result. */
export function AccessSimulator() {
  const trpc = useTRPC();
  const { me } = useMe();
  const people = usePeople();
  const [userId, setUserId] = useState<string>();
  const [resource, setResource] = useState<Resource>('workflow');
  const [action, setAction] = useState<Action>('update');
  const [resourceId, setResourceId] = useState('');
  const [question, setQuestion] = useState<Question>();
  const { data, error, isFetching } = useQuery(
    trpc.rbac.check.queryOptions(
      { query: question ?? { resource, action } },
      { enabled: question !== undefined, staleTime: 0 },
    ),
  );
  const { at, elsewhere } = fieldErrorsOf(error, (field) => ['userId', 'resourceId'].includes(field));
  const who = userId ?? me?.user.id ?? '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setQuestion({ userId: who, resource, action, resourceId: resourceId || undefined });
  };
  return (
    <Section title="Access check" summary="Check whether a member has a permission, and by which roles.">
      <form onSubmit={submit}>
        <Stack>
          <ErrorNote>{elsewhere}</ErrorNote>
          <Group gap="sm" align="flex-start">
            <Select
              label="Member"
              w={200}
              searchable
              allowDeselect={false}
              data={people}
              value={who}
              error={at.get('userId')}
              onChange={(value) => value && setUserId(value)}
            />
            <Select
              label="Resource"
              w={140}
              allowDeselect={false}
              data={Resource.options.map((value) => ({ value, label: wordsOf(value) }))}
              value={resource}
              onChange={(value) => {
                const next = Resource.parse(value);
                setResource(next);
                setResourceId('');
                if (!ACTIONS[next].includes(action)) setAction('read');
              }}
            />
            <Select
              label="Action"
              w={120}
              allowDeselect={false}
              data={ACTIONS[resource]}
              value={action}
              onChange={(value) => setAction(Action.parse(value))}
            />
            <ObjectField
              type={resource}
              label="Object"
              placeholder="Any"
              value={resourceId}
              error={at.get('resourceId')}
              onChange={setResourceId}
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
              <AccessReasons reasons={data.reasons} />
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}
