import { Badge, Button, Group, Text, ThemeIcon } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react';
import type { SessionResponse } from '@/contract/access/device-session';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { describeDevice, deviceKind } from './device';

const DEVICE_ICONS = { phone: IconDeviceMobile, script: IconTerminal2, desktop: IconDeviceDesktop };

interface Props {
  session: SessionResponse;
  isBusy: boolean;
  onEnd(): void;
}

/** One session: device, IP address, sign-in method and times. */
export function SessionRow({ session, isBusy, onEnd }: Props) {
  const device = describeDevice(session.userAgent);
  const Icon = DEVICE_ICONS[deviceKind(session.userAgent)];
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <ThemeIcon variant="light" color="gray" size={34} aria-hidden>
          <Icon size={19} stroke={1.7} />
        </ThemeIcon>
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={570}>
              {device}
            </Text>
            {session.isCurrent && (
              <Badge variant="light" tt="none">
                This session
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {session.ipAddress} · {session.provider ?? 'Password'} · signed in <TimeAgo at={session.createdAt} /> · last
            used <TimeAgo at={session.lastUsedAt} />
          </Text>
        </div>
      </Group>
      {!session.isCurrent && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          loading={isBusy}
          aria-label={`Sign out ${device}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}
