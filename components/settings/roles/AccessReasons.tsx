import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconCheck, IconX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { readableRoleName } from '@/components/client/role-names';
import type { PermissionReason } from '@/contract/access/role';
import { readableResourceName } from '@/components/client/permission-words';
import { describePermission } from './role-matrix';

/** The permissions behind an access decision: source, and whether each one applies. */
export function AccessReasons({ reasons }: { reasons: PermissionReason[] }) {
  if (reasons.length === 0) return <Text size="sm">No role of this member has this permission.</Text>;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {reasons.map((reason) => (
        <li key={`${reason.path.join('/')}${describePermission(reason.permission)}${reason.on?.id ?? ''}`}>
          <AccessReasonRow reason={reason} />
        </li>
      ))}
    </Stack>
  );
}

function AccessReasonRow({ reason: { path, permission, on, failed } }: { reason: PermissionReason }) {
  const Icon = failed.length > 0 ? IconX : IconCheck;
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Icon
        size={16}
        style={{ marginTop: 3, flexShrink: 0 }}
        aria-label={failed.length > 0 ? 'does not apply' : 'applies'}
      />
      <div>
        <Group gap={6}>
          {path.map((role, index) => (
            <Fragment key={role}>
              {index > 0 && <IconArrowRight size={14} aria-label="inherits from" />}
              <Badge variant="default" tt="none">
                {readableRoleName(role)}
              </Badge>
            </Fragment>
          ))}
          <Text size="sm">{describePermission(permission)}</Text>
        </Group>
        {on && (
          <Text size="xs" c="dimmed">
            assigned on {readableResourceName(on.type)} {on.id}
          </Text>
        )}
        {failed.map((why) => (
          <Text key={why} size="xs" c="dimmed">
            {why}
          </Text>
        ))}
      </div>
    </Group>
  );
}
