import { Alert, Button, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { PermissionAction, ACTIONS_BY_RESOURCE, PermissionResource } from '@/contract/access/security';
import { readableRoleName } from '@/components/client/role-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { PageSection } from '@/components/ui/page/PageSection';
import { AccessReasons } from './AccessReasons';
import { ObjectField } from '../members/ObjectField';
import { toActionOptions, toResourceOptions } from './role-matrix';
import { useMemberOptions } from '@/components/client/queries/useMemberOptions';

interface AccessCheckQuery {
  userId: string;
  resource: PermissionResource;
  action: PermissionAction;
  resourceId?: string;
}

/** Checks a permission of a user, and explains the result. */
export function AccessSimulator() {
  const trpc = useTRPC();
  const { me } = useCurrentUser();
  const people = useMemberOptions();
  const [userId, setUserId] = useState<string>();
  const [resource, setResource] = useState<PermissionResource>('workflow');
  const [action, setAction] = useState<PermissionAction>('update');
  const [resourceId, setResourceId] = useState('');
  const [question, setQuestion] = useState<AccessCheckQuery>();
  const { data, error, isFetching } = useQuery(
    trpc.rbac.check.queryOptions(
      { query: question ?? { resource, action } },
      { enabled: question !== undefined, staleTime: 0 },
    ),
  );
  const { at, elsewhere } = splitFieldErrors(error, (field) => ['userId', 'resourceId'].includes(field));
  const who = userId ?? me?.user.id ?? '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setQuestion({ userId: who, resource, action, resourceId: resourceId || undefined });
  };
  return (
    <PageSection title="Access check" summary="Check whether a member has a permission, and by which roles.">
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
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
              w={160}
              allowDeselect={false}
              data={toResourceOptions(PermissionResource.options)}
              value={resource}
              onChange={(value) => {
                const next = PermissionResource.parse(value);
                setResource(next);
                setResourceId('');
                if (!ACTIONS_BY_RESOURCE[next].includes(action)) setAction('read');
              }}
            />
            <Select
              label="Action"
              w={160}
              allowDeselect={false}
              data={toActionOptions(ACTIONS_BY_RESOURCE[resource])}
              value={action}
              onChange={(value) => setAction(PermissionAction.parse(value))}
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
              title={data.allowed ? `Allowed, by ${data.roles.map(readableRoleName).join(', ')}` : 'Not allowed'}
            >
              <AccessReasons reasons={data.reasons} />
            </Alert>
          )}
        </Stack>
      </form>
    </PageSection>
  );
}
