// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { TemplateTrigger } from '@/contract/workflows/template';
import { ProposedTriggers } from './ProposedTriggers';

afterEach(cleanup);

const github = {
  id: 'github',
  name: 'GitHub',
  events: [{ id: 'pull_request', title: 'New pull request', mode: 'subscription' }],
} as unknown as ConnectorResponse;

const webhook = (settings: (TemplateTrigger & { kind: 'webhook' })['settings']): TemplateTrigger => ({
  kind: 'webhook',
  settings,
});

const listTriggers = (triggers: TemplateTrigger[], mayCreate: (kind: string) => boolean = () => true) => {
  render(
    <MantineProvider env="test">
      <ProposedTriggers triggers={triggers} connectors={[github]} mayCreate={mayCreate} />
    </MantineProvider>,
  );
  return screen.queryAllByRole('listitem').map((item) => item.textContent);
};

it('tells triggers in words, and how a webhook is protected', () => {
  expect(
    listTriggers([
      { kind: 'schedule', settings: { cron: '0 7 * * *', input: {}, enabled: true, overlap: 'skip' } },
      webhook({ path: 'orders' }),
      webhook({ verification: { kind: 'none' } }),
      webhook({
        subscription: { connectorId: 'github', event: 'pull_request', parameters: {}, credentialId: 'cred_1' },
      }),
    ]),
  ).toEqual([
    'Starts by a schedule (0 7 * * *)',
    'Starts by a call of its webhook, signed with a secret that is shown once',
    'Starts by a call of its webhook, without a signature: whoever knows the address can call it',
    'Starts by an event of GitHub: New pull request',
  ]);
});

it('tells which ones the person may not create, and shows nothing without triggers', () => {
  expect(listTriggers([webhook({ path: 'orders' })], (kind) => kind !== 'webhook')[0]).toMatch(
    /You are not allowed to create it/,
  );
  cleanup();
  expect(listTriggers([])).toEqual([]);
});
