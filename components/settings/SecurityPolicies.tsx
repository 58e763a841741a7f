'use client';

import { Radio, Stack, Switch, TagsInput, Text } from '@mantine/core';
import { MfaPolicy, type Workspace } from '@/contract/workspace';
import { useMe } from '../shell/useMe';
import { Section } from '../ui/Section';
import { Choice } from './Choice';
import { CountInput } from './CountInput';
import { SettingsForm } from './SettingsForm';
import { useSettings } from './useSettings';
import { WithWorkspace } from './WithWorkspace';

const FACTORS: Record<MfaPolicy, { label: string; description: string }> = {
  off: { label: 'Not offered', description: 'Those who have set one up are still asked for it.' },
  optional: { label: 'Offered', description: 'Everybody may set one up.' },
  required: { label: 'Required', description: 'Nobody gets any further before they have set one up.' },
};
const HOURS = { hours: 1, days: 24 };
const MINUTES = { minutes: 1, hours: 60, days: 1440 };

/** What a workspace asks of those who work in it. */
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
      <Section title="Signing in" summary="Who belongs to several workspaces keeps to the strictest of them.">
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
            description="Passwords open this workspace for owners only. Set up a provider first."
            checked={values.ssoRequired}
            onChange={(event) => set({ ssoRequired: event.currentTarget.checked })}
          />
        </Stack>
      </Section>
      <Section title="Passwords" summary="Common ones, runs of keys and one’s own name are always refused.">
        <CountInput
          label="Shortest new password"
          description="12 to 64 characters. Passwords that are in use stay good: length helps, forced changes don’t."
          unit="characters"
          value={values.passwordMinLength}
          error={errorAt('passwordMinLength')}
          onChange={(passwordMinLength) => set({ passwordMinLength })}
        />
      </Section>
      <Section title="Sessions" summary="When people must sign in again. API keys have an end of their own.">
        <Stack gap="lg">
          <Choice
            label="After signing in"
            description="However much they work. An hour to a year."
            none="no limit"
            units={HOURS}
            value={values.sessionMaxHours}
            error={errorAt('sessionMaxHours')}
            onChange={(sessionMaxHours) => set({ sessionMaxHours })}
          />
          <Choice
            label="Without doing anything"
            description="Five minutes to 30 days."
            none="after 30 days"
            units={MINUTES}
            value={values.sessionIdleMinutes}
            error={errorAt('sessionIdleMinutes')}
            onChange={(sessionIdleMinutes) => set({ sessionIdleMinutes })}
          />
          <Text size="xs" c="dimmed">
            Holds for sessions that are open now, yours included, from the moment you save.
          </Text>
        </Stack>
      </Section>
      <Section title="Who may join" summary="By invitation and by single sign-on alike. Members stay members.">
        <TagsInput
          label="Allowed email domains"
          description={isOutside ? `Your own domain, ${domain}, is not among them.` : 'None: people of any domain.'}
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
