import type { RequestListener } from 'node:http';
import { expect, type Locator, type Page } from '@playwright/test';
import { listenOn } from '../../server/testing/listen';
import { oidcServer } from '../../server/testing/servers/oidc-server';
import { expectAccessible } from '../axe';
import { paletteOffer } from '../drawn';
import { asOwner, enter, picture } from '../person';
import { createGithub, createSlack } from '../stand-ins';
import { test } from '../test';

/* Tests against a real OAuth 2.0 provider, at the URL that is configured for this connector. */
const PORT = Number(process.env.E2E_PROVIDER_PORT);
const SCOPES = ['user-read-email', 'user-read-private', 'playlist-modify-public', 'playlist-modify-private'];
const callback = (page: Page) => new URL('/oauth/callback', page.url()).href;

// The provider has one port.
test.describe.configure({ mode: 'default' });

let provider: RequestListener;
let close: () => Promise<void>;
/** The address of the credential that a test made. */
let madeCredential: string | undefined;

test.beforeEach(async () => {
  ({ close } = await listenOn((request, response) => provider(request, response), PORT));
});
test.afterEach(async ({ page }) => {
  await close();
  if (madeCredential === undefined) return;
  // A second account of the service would have to be chosen.
  await page.request.delete(madeCredential, { headers: await asOwner(page) });
  madeCredential = undefined;
});

/** `redirectUri`: the registered redirect URI. */
function open(redirectUri: string) {
  provider = oidcServer(`http://127.0.0.1:${PORT}`, {
    redirectUris: [redirectUri],
    scopes: SCOPES,
    authentication: 'client_secret_basic',
    asks: true,
  });
}

async function popupOf(page: Page, button: string): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: button, exact: true }).click();
  return opened;
}

async function newSpotify(page: Page) {
  await page.goto('/credentials');
  await page.getByRole('button', { name: 'New credential' }).first().click();
  await page.getByRole('button', { name: /Spotify/ }).click();
}

test('an account is connected at a provider, used by a run, and reconnected', async ({ page }, info) => {
  test.slow();
  await enter(page);
  open(callback(page));
  await newSpotify(page);
  const popup = await popupOf(page, 'Connect');
  await expect(popup.getByRole('heading', { name: 'The provider' })).toBeVisible();
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([600, 700]);
  await popup.getByRole('button', { name: 'Allow' }).click();

  await expect(page).toHaveURL(/\/credentials\/cred_/);
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  const address = page.url();
  // The account is tested when it is connected.
  await expect(page.getByText('Spotify accepted it.')).toBeVisible();
  await picture(page, info, 'connected');

  await popupOf(page, 'Connect again');
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  expect(page.url()).toBe(address);

  await page.goto('/workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill('Who am I there?');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('group', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('option', { name: /^Spotify/ }).click();
  await expect(page.getByRole('option', { name: 'Search tracks' })).toBeVisible();
  await picture(page, info, 'palette');
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('own profile');
  await page.keyboard.press('Enter');
  // The only account that fits is chosen.
  await expect(page.getByRole('combobox', { name: 'Credential' })).toHaveValue('Spotify');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const node = page.getByRole('group', { name: 'Get the own profile' });
  await expect(node).toContainText('Done');
  await node.click();
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(page.getByRole('group', { name: 'Output' })).toContainText('ada');
  await picture(page, info, 'run');

  await page.getByRole('tab', { name: 'Parameters' }).click();
  await page.getByRole('combobox', { name: 'Operation' }).click();
  await page.getByRole('option', { name: 'Create a playlist' }).click();
  const user = page.getByRole('group', { name: /^User/ });
  await user.getByText('By id', { exact: true }).click();
  await user.getByRole('textbox').fill('ada');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('{{ "Songs of " & nodes.start.listener }}');
  await page.getByRole('switch', { name: 'Public' }).press('Space');
  await picture(page, info, 'parameters');
  await page.getByRole('button', { name: 'Run this node' }).click();
  await page.getByRole('tab', { name: 'Result' }).click();
  const output = page.getByRole('group', { name: 'Output' });
  await expect(output).toContainText('POST /api/users/ada/playlists');
  await expect(output).toContainText('Songs of');
});

const SLACK_ACCOUNT = {
  name: 'Our Slack',
  type: 'oauth2',
  connectorId: 'slack',
  config: { accessToken: 'xoxb-1' },
};

async function makeCredential(page: Page, data: object) {
  const made = await page.request.post('/api/credentials', { headers: await asOwner(page), data });
  expect(made.status(), await made.text()).toBe(201);
  madeCredential = `/api/credentials/${((await made.json()) as { id: string }).id}`;
}

async function makeWorkflow(page: Page, name: string) {
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Start', exact: true })).toBeVisible();
}

test('a message goes to a channel that is picked: few clicks, and no id is typed', async ({ page }, info) => {
  const posted: unknown[] = [];
  await enter(page);
  provider = createSlack(posted);
  await makeCredential(page, SLACK_ACCOUNT);
  await makeWorkflow(page, 'Tell the team');

  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole('button', { name: 'Add node' }));
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('slack post message');
  await click(page.getByRole('option', { name: /^Post a message/ }).first());
  // The only account of the service is chosen already.
  await expect(page.getByRole('combobox', { name: 'Credential' })).toHaveValue('Our Slack');
  await click(page.getByRole('button', { name: /^Channel: Pick/ }));
  await picture(page, info, 'channels');
  await click(page.getByRole('option', { name: /^random/ }));
  await expect(page.getByRole('button', { name: 'Channel: random' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Text' }).first().fill('Hello');
  await picture(page, info, 'picked');
  await click(page.getByRole('button', { name: 'Run', exact: true }));
  const card = page.getByRole('group', { name: 'Post a message' });
  await expect(card).toContainText('Done');
  await expect(card).toContainText('random');
  await expect(card).not.toContainText('C061EG9SL');
  expect(clicks).toBeLessThanOrEqual(8);
  expect(posted).toMatchObject([{ channel: 'C061EG9SL', text: 'Hello' }]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, info, 'dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, info, 'phone');
});

const EVENT_JOURNEYS = [
  {
    service: 'github',
    account: {
      name: 'Ada',
      type: 'token',
      connectorId: 'github',
      config: { token: 'github_pat_11AAAAAAAAAAAAAAAAAAAA' },
    },
    event: 'subscription:github/issues',
    // The owner of the last push is picked already, and the list of repositories is open.
    choice: /^window/,
    shown: ['An example', 'The door is stuck'],
    card: 'ada · window',
  },
  {
    service: 'slack',
    account: SLACK_ACCOUNT,
    event: 'poll:slack/channels.history',
    choice: /^random/,
    shown: ['Slack has one item', 'The door is stuck'],
    card: 'random · every minute',
  },
];

for (const { service, account, event, choice, shown, card } of EVENT_JOURNEYS)
  test(`an event of ${service} starts a workflow: at most six clicks, and nothing is typed`, async ({ page }, info) => {
    const hooks: unknown[] = [];
    await enter(page);
    if (service === 'github') provider = createGithub(hooks);
    else provider = createSlack([]);
    await makeCredential(page, account);
    await makeWorkflow(page, `Events of ${service}`);
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    await click(page.getByRole('button', { name: 'Add node' }));
    await click(paletteOffer(page, service));
    await click(paletteOffer(page, event));
    const form = page.getByRole('form', { name: /^Event of/ });
    await expect(form.getByRole('combobox', { name: / account$/ })).toHaveValue(account.name);
    await expect(page.getByRole('option', { name: choice })).toBeVisible();
    await picture(page, info, 'choices');
    await click(page.getByRole('option', { name: choice }));
    await click(form.getByRole('button', { name: 'Test' }));
    for (const text of shown) await expect(form.getByRole('status')).toContainText(text);
    await expectAccessible(page, info, 'tested');
    await picture(page, info, 'tested');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 375, height: 812 });
    await picture(page, info, 'phone');
    await page.setViewportSize({ width: 1440, height: 900 });
    await picture(page, info, 'dark');
    await click(form.getByRole('button', { name: 'Add and go live' }));
    await expect(page.getByLabel('Workflow canvas').getByText(card, { exact: false })).toBeVisible();
    await expect(page.getByText('Live', { exact: true }).first()).toBeVisible();
    expect(clicks).toBeLessThanOrEqual(6);
    if (service === 'github')
      await expect
        .poll(() => hooks)
        .toMatchObject([{ url: '/github/repos/ada/window/hooks', events: ['issues'], active: true }]);
    await picture(page, info, 'live');
  });

test('errors of connecting an account are explained', { tag: '@long' }, async ({ page }, info) => {
  await enter(page);
  open(callback(page));
  await newSpotify(page);
  const refusing = await popupOf(page, 'Connect');
  await refusing.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('The provider refused: access_denied')).toBeVisible();

  open('https://elsewhere.example/oauth/callback');
  const lost = await popupOf(page, 'Connect');
  await expect(lost.getByText('redirect_uri').first()).toBeVisible();
  await lost.close();
  await expect(page.getByText('The window was closed before the account was connected.')).toBeVisible();
  await expect(page.getByLabel('Redirect URL to register', { exact: true })).toHaveValue(callback(page));
  await picture(page, info, 'redirect');

  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('The browser blocked the window.')).toBeVisible();
});
