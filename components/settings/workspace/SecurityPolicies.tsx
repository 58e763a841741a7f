'use client';

import { Radio, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { WorkspaceMfaPolicy, type WorkspaceResponse } from '@/contract/workspace';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { PageSection } from '@/components/ui/page/PageSection';
import { LimitInput } from '../LimitInput';
import { CountInput } from '../CountInput';
import { SettingsForm } from '../SettingsForm';
import { useSettingsDraft } from '../useSettingsDraft';
import { WithWorkspace } from '../WithWorkspace';

const MFA_POLICY_TEXTS: Record<WorkspaceMfaPolicy, { label: string; description: string }> = {
  off: {
    label: 'Off',
    description: 'Members are not offered a second factor. Existing ones are still required at sign-in.',
  },
  optional: { label: 'Optional', description: 'Members can set up a second factor.' },
  required: { label: 'Required', description: 'Members must set up a second factor before they can continue.' },
};
const HOUR_UNITS = { hours: 1, days: 24 };
const MINUTE_UNITS = { minutes: 1, hours: 60, days: 1440 };

/** Security policies of a workspace. */
export function SecurityPolicies() {
  return (
    <WithWorkspace>{(workspace) => <SecurityPolicyForm key={workspace.id} workspace={workspace} />}</WithWorkspace>
  );
}

function SecurityPolicyForm({ workspace }: { workspace: WorkspaceResponse }) {
  const draft = useSettingsDraft(workspace);
  const { values, set, errorAt } = draft;
  const { me } = useCurrentUser();
  const domain = me?.user.email.split('@').pop() ?? '';
  const isOutside = values.allowedDomains.length > 0 && !values.allowedDomains.includes(domain);
  return (
    <SettingsForm draft={draft}>
      <PageSection title="Sign-in" summary="For members of several workspaces the strictest policy applies.">
        <Stack gap="lg">
          <Radio.Group
            label="Second factor"
            value={values.mfaPolicy}
            onChange={(value) => set({ mfaPolicy: WorkspaceMfaPolicy.parse(value) })}
          >
            <Stack gap="xs" mt="xs">
              {WorkspaceMfaPolicy.options.map((policy) => (
                <Radio key={policy} value={policy} {...MFA_POLICY_TEXTS[policy]} />
              ))}
            </Stack>
          </Radio.Group>
          <Switch
            label="Require single sign-on"
            description="Only owners can open this workspace with a password. Set up a provider first."
            checked={values.ssoRequired}
            onChange={(event) => set({ ssoRequired: event.currentTarget.checked })}
          />
        </Stack>
      </PageSection>
      <PageSection
        title="Passwords"
        summary="Common passwords, keyboard sequences and the user’s name are always refused."
      >
        <CountInput
          label="Minimum length"
          description="12 to 64 characters. Applies to new passwords only."
          unit="characters"
          value={values.passwordMinLength}
          error={errorAt('passwordMinLength')}
          onChange={(passwordMinLength) => set({ passwordMinLength })}
        />
      </PageSection>
      <PageSection title="Sessions" summary="When users must sign in again. API keys have their own expiry.">
        <Stack gap="lg">
          <LimitInput
            label="Maximum duration"
            description="Time after sign-in, also with activity. 1 hour to 1 year."
            none="No limit"
            units={HOUR_UNITS}
            value={values.sessionMaxHours}
            error={errorAt('sessionMaxHours')}
            onChange={(sessionMaxHours) => set({ sessionMaxHours })}
          />
          <LimitInput
            label="Idle timeout"
            description="Time without activity. 5 minutes to 30 days."
            none="After 30 days"
            units={MINUTE_UNITS}
            value={values.sessionIdleMinutes}
            error={errorAt('sessionIdleMinutes')}
            onChange={(sessionIdleMinutes) => set({ sessionIdleMinutes })}
          />
          <Text size="xs" c="dimmed">
            Applies to all active sessions when you save, including yours.
          </Text>
        </Stack>
      </PageSection>
      <PageSection
        title="Allowed domains"
        summary="Applies to invitations and single sign-on. Existing members keep access."
      >
        <TagsInput
          label="Allowed email domains"
          description={isOutside ? `Your own domain, ${domain}, is not among them.` : 'Empty: any domain.'}
          placeholder={values.allowedDomains.length === 0 ? 'example.com' : undefined}
          splitChars={[',', ' ', ';']}
          maxTags={100}
          value={values.allowedDomains}
          error={errorAt('allowedDomains')}
          onChange={(domains) => set({ allowedDomains: domains.map((each) => each.trim().toLowerCase()) })}
        />
      </PageSection>
    </SettingsForm>
  );
}
