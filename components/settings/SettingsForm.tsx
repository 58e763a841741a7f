import { Alert, Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCan } from '../shell/useCan';
import { ErrorNote } from '../ui/ErrorNote';
import classes from './SettingsForm.module.css';
import type { SettingsDraft } from './useSettings';

/** Settings to change: nothing is sent before one says so, and a bar tells as long as something isn't. */
export function SettingsForm({ draft, children }: { draft: SettingsDraft; children: ReactNode }) {
  const isReadOnly = useCan()('workspace:update') === 'none';
  return (
    <form className={classes.form} onSubmit={draft.submit} noValidate>
      {isReadOnly && (
        <Alert color="gray" icon={<IconEye size={18} aria-hidden />}>
          You can look at these settings. Admins and owners change them.
        </Alert>
      )}
      <ErrorNote>{draft.error}</ErrorNote>
      <fieldset className={classes.fields} disabled={isReadOnly}>
        {children}
      </fieldset>
      {draft.isChanged && (
        <div className={classes.bar} role="status">
          <Text size="sm" fw={550}>
            {draft.isValid ? 'Not saved yet' : 'Something is not right yet'}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={draft.discard}>
              Discard
            </Button>
            <Button type="submit" loading={draft.isBusy} disabled={!draft.isValid}>
              Save
            </Button>
          </Group>
        </div>
      )}
    </form>
  );
}
