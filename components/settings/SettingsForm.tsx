import { Alert, Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePermissions } from '@/components/client/usePermissions';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import classes from './SettingsForm.module.css';
import type { SettingsDraft } from './useSettingsDraft';

/** A settings form with explicit save: a bar is shown while there are unsaved changes. */
export function SettingsForm({ draft, children }: { draft: SettingsDraft; children: ReactNode }) {
  const isReadOnly = usePermissions()('workspace:update') === 'none';
  return (
    <form className={classes.form} onSubmit={draft.submit} noValidate>
      {isReadOnly && (
        <Alert color="gray" icon={<IconEye size={18} aria-hidden />}>
          Read-only. Only admins and owners can change these settings.
        </Alert>
      )}
      <FormErrorAlert>{draft.error}</FormErrorAlert>
      <fieldset className={classes.fields} disabled={isReadOnly}>
        {children}
      </fieldset>
      {draft.isChanged && (
        <div className={classes.bar} role="status">
          <Text size="sm" fw={550}>
            {draft.isValid ? 'Unsaved changes' : 'Fix the errors to save'}
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
