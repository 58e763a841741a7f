'use client';

import { Radio, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { MfaPolicy, type Workspace } from '@/contract/workspace';
import { useMe } from '@/components/client/useMe';
import { Section } from '@/components/ui/page/Section';
import { Choice } from '../Choice';
import { CountInput } from '../CountInput';
import { SettingsForm } from '../SettingsForm';
import { useSettings } from '../useSettings';
import { WithWorkspace } from '../WithWorkspace';

const FACTORS: Record<MfaPolicy, { label: string; description: string }> = {
  off: {
    label: 'Off',
    description: 'Members are not offered a second factor. Existing ones are still required at sign-in.',
  },
  optional: { label: 'Optional', description: 'Members can set up a second factor.' },
  required: { label: 'Required', description: 'Members must set up a second factor before they can continue.' },
};
const HOURS = { hours: 1, days: 24 };
const MINUTES = { minutes: 1, hours: 60, days: 1440 };

/** Security policies of a workspace. */
export function SecurityPolicies() {
  return <WithWorkspace>{(workspace) => <Form key={workspace.id} workspace={workspace} />}</WithWorkspace>;
}

function Form({ workspace }: { workspace: Workspace }) {
  const draft = useSettings(workspace);
  const { values, set, errorAt } = draft;
  const { me } = useMe();
  const domain = me?.user.email.split('@').pop() ?? '';
  const isOutside = values.allowedDomains.length > 0 && !values.allowedDomains.includes(domain);
  return (
    <SettingsForm draft={draft}>
      <Section title="Sign-in" summary="For members of several workspaces the strictest policy applies.">
        <Stack gap="lg">
          <Radio.Group
            label="Second factor"
            value={values.mfaPolicy}
            onChange={(value) => set({ mfaPolicy: MfaPolicy.parse(value) })}
          >
            <Stack gap="xs" mt="xs">
              {MfaPolicy.options.map((policy) => (
                <Radio key={policy} value={policy} {...FACTORS[policy]} />
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
      </Section>
      <Section title="Passwords" summary="Common passwords, keyboard sequences and the user’s name are always refused.">
        <CountInput
          label="Minimum length"
          description="12 to 64 characters. Applies to new passwords only."
          unit="characters"
          value={values.passwordMinLength}
          error={errorAt('passwordMinLength')}
          onChange={(passwordMinLength) => set({ passwordMinLength })}
        />
      </Section>
      <Section title="Sessions" summary="When users must sign in again. API keys have their own expiry.">
        <Stack gap="lg">
          <Choice
            label="Maximum duration"
            description="Time after sign-in, also with activity. 1 hour to 1 year."
            none="No limit"
            units={HOURS}
            value={values.sessionMaxHours}
            error={errorAt('sessionMaxHours')}
            onChange={(sessionMaxHours) => set({ sessionMaxHours })}
          />
          <Choice
            label="Idle timeout"
            description="Time without activity. 5 minutes to 30 days."
            none="After 30 days"
            units={MINUTES}
            value={values.sessionIdleMinutes}
            error={errorAt('sessionIdleMinutes')}
            onChange={(sessionIdleMinutes) => set({ sessionIdleMinutes })}
          />
          <Text size="xs" c="dimmed">
            Applies to all active sessions when you save, including yours.
          </Text>
        </Stack>
      </Section>
      <Section
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
      </Section>
    </SettingsForm>
  );
}
