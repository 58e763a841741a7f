import { expect, type Page, type TestInfo } from '@playwright/test';
import { expectAccessible, expectDialogAccessible } from '../axe';
import { node, openDrawn, saved } from '../drawn';
import { SERVICE_DIRECTORY } from '../../server/connectors/directory/directory';
import { petStore } from '../../server/evaluation/openapi/testing/documents';
import { enterAt, findWorkflow, joinedBy, picture, takeSession } from '../person';
import { test } from '../test';
import { expectMarkedFields, expectReadable } from '../words';

/** Checks the open dialog of a name once it is loaded, and closes it. */
async function check(page: Page, info: TestInfo, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0);
  await expectDialogAccessible(page, info, String(name).replaceAll(/\W+/g, '-'));
  await expectReadable(page, '[role=dialog]', ['Text or caller.id']);
  await expectMarkedFields(page, '[role=dialog]');
  // An open list of options closes first.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0, { timeout: 2000 });
  }).toPass();
}

test('dialogs of lists are accessible', { tag: '@long' }, async ({ page }, info) => {
  const name = `Checked ${Date.now()}`;
  await takeSession(page);
  await openDrawn(page, name, [node('s', 'start', 0)]);
  await enterAt(page, '/workflows');
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await check(page, info, 'New workflow');
  await findWorkflow(page, name);
  const more = page.getByRole('button', { name: `More for ${name}` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Settings …' }).click();
  await check(page, info, 'Workflow settings');
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  await check(page, info, `Delete “${name}”?`);
  await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  for (const [action, title] of [
    ['Tag', 'Tag 1 workflow'],
    ['Move to', `Move ${name}`],
    ['Delete', 'Delete 1 workflow?'],
  ] as const) {
    await page
      .getByRole('region', { name: 'Selected workflows' })
      .getByRole('button', { name: `${action} …` })
      .click();
    await check(page, info, title);
  }
  await page.getByRole('button', { name: 'Workspace:' }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).click();
  await check(page, info, 'New workspace');
  await page.goto('/connectors');
  await page.getByRole('button', { name: 'Set up HubSpot' }).click();
  await check(page, info, 'Set up HubSpot');
});

test(
  'a service of the directory is found and added, from the page and from the editor',
  { tag: '@long' },
  async ({ page }, info) => {
    // An address where nothing listens: whether this machine reaches the Internet does not matter.
    const address = SERVICE_DIRECTORY.find(({ id }) => id === 'pagerduty')?.url ?? '';
    await page.route(/connectors\.directory/, async (route) => {
      const answer = await route.fetch({ maxRetries: 2 });
      await route.fulfill({ response: answer, body: (await answer.text()).replace(address, 'http://127.0.0.1:1/') });
    });
    await enterAt(page, '/connectors');
    const section = page.getByRole('region', { name: 'Directory' });
    await expect(section.getByText(`${SERVICE_DIRECTORY.length} services`)).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search connectors and the directory' }).fill('pagerduty');
    await expect(page.getByText('No connector is found.')).toBeVisible();
    await expect(section.getByRole('status')).toHaveText('2 services');
    await expectAccessible(page, info, 'directory');
    await section.getByRole('button', { name: 'Add PagerDuty', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add PagerDuty' });
    await expect(dialog.getByText('The document of PagerDuty can’t be read')).toBeVisible();
    await expectDialogAccessible(page, info, 'directory-unreadable');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    const name = `Pager ${Date.now()}`;
    await openDrawn(page, `Uses ${name}`, [node('s', 'start', 0)]);
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('combobox', { name: 'Search nodes' }).fill('pagerduty');
    await expect(page.getByRole('option', { name: 'PagerDuty Add from the directory' })).toBeVisible();
    await expectDialogAccessible(page, info, 'palette-directory');
    await page.getByRole('option', { name: 'PagerDuty Add from the directory' }).click();
    await expect(dialog.getByText('The document of PagerDuty can’t be read')).toBeVisible();
    await dialog.getByLabel('URL or document').fill(JSON.stringify(petStore()));
    await dialog.getByRole('button', { name: 'Read document' }).click();
    const choice = page.getByRole('dialog', { name: 'Choose operations' });
    await expect(choice.getByRole('textbox', { name: 'Name' })).toHaveValue('PagerDuty');
    await choice.getByRole('textbox', { name: 'Name' }).fill(name);
    await choice.getByRole('button', { name: 'Add connector' }).click();
    await page.getByRole('option', { name: /^Create pet/ }).click();
    await expect(page.getByText('How it is called')).toBeVisible();
    await saved(page);
  },
);

test('a connector from a document is added, connected, found in the editor, updated and deleted', async ({
  page,
}, info) => {
  const name = `Pets ${Date.now()}`;
  await enterAt(page, '/connectors');
  await page.getByRole('button', { name: 'Add from OpenAPI' }).click();
  const source = page.getByRole('dialog', { name: 'Add a connector from OpenAPI' });
  await source.getByLabel('URL or document').fill('openapi: 3.0.0');
  await source.getByRole('button', { name: 'Read document' }).click();
  await expect(source.getByText('The document has no `paths`.')).toBeVisible();
  await expectDialogAccessible(page, info, 'openapi-source');
  await source.getByLabel('URL or document').fill(JSON.stringify(petStore()));
  await source.getByRole('button', { name: 'Read document' }).click();
  const choice = page.getByRole('dialog', { name: 'Choose operations' });
  await choice.getByRole('textbox', { name: 'Name' }).fill(name);
  await choice.getByRole('searchbox', { name: 'Search operations' }).fill('photo');
  await choice.getByRole('button', { name: 'Choose none' }).click();
  await expect(choice.getByText('5 of 7 chosen')).toBeVisible();
  await expectDialogAccessible(page, info, 'openapi-choice');
  await choice.getByRole('button', { name: 'Add connector' }).click();
  const details = page.getByRole('dialog', { name });
  await details.getByRole('textbox', { name: 'Key' }).fill('key-of-a-shop');
  await details.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(details.getByText('Active', { exact: true })).toBeVisible();
  await expectDialogAccessible(page, info, 'openapi-details');
  await details.getByRole('button', { name: 'Update', exact: true }).click();
  const update = page.getByRole('dialog', { name: `Update ${name}` });
  const { '/status': _, ...paths } = petStore().paths;
  const { '/pets': pets, ...others } = paths;
  const next = { ...petStore(), paths: { '/animals': pets, ...others } };
  await update.getByLabel('URL or document').fill(JSON.stringify(next));
  await update.getByRole('button', { name: 'Compare' }).click();
  await expect(update.getByRole('region', { name: 'Removed' })).toContainText('GET /status');
  await expect(update.getByRole('region', { name: 'Changed' })).toContainText('GET /animals');
  await expectDialogAccessible(page, info, 'openapi-changes');
  await update.getByRole('button', { name: 'Update connector' }).click();
  await expect(update).toHaveCount(0);
  await expect(details.getByText('GET /animals')).toBeVisible();

  await openDrawn(page, `Uses ${name}`, [node('s', 'start', 0)]);
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill(name);
  await page
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
    .click();
  await page.getByRole('option', { name: /^Create pet/ }).click();
  await expect(page.getByText('How it is called')).toBeVisible();
  await page.getByRole('combobox', { name: 'Credential' }).click();
  await expect(page.getByRole('option', { name })).toBeVisible();
  await picture(page, info, 'node');
  await page.keyboard.press('Escape');
  await saved(page);
  await expect(page.locator('.react-flow__node', { hasText: `${name} · Create pet` })).toBeVisible();

  await enterAt(page, '/connectors');
  await page.getByRole('button', { name: `Open ${name}` }).click();
  await expect(details.getByRole('link', { name: `Uses ${name}` })).toBeVisible();
  await details.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Delete ${name}?` });
  await expect(question.getByText('1 workflow uses it')).toBeVisible();
  await question.getByRole('button', { name: 'Delete connector' }).click();
  await expect(page.getByRole('button', { name: `Open ${name}` })).toHaveCount(0);
});

test('dialogs of triggers and runs are accessible', { tag: '@long' }, async ({ page }, info) => {
  await takeSession(page);
  await openDrawn(page, 'Dialogs', [node('s', 'start', 0)]);
  for (const [trigger, title] of [
    ['Webhook', 'New webhook'],
    ['Schedule', 'New schedule'],
    ['Form', 'New form'],
    ['Poll', 'New poll'],
    ['New email', 'New email trigger'],
  ] as const) {
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('combobox', { name: 'Search nodes' }).fill(trigger);
    if (trigger === 'Webhook') await expectDialogAccessible(page, info, 'palette');
    await page
      .getByRole('option', { name: new RegExp(`^${trigger}`) })
      .first()
      .click();
    await check(page, info, title);
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByText('Done').first()).toBeVisible();
  await run.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('menuitem', { name: 'With other input …' }).click();
  await check(page, info, 'Run again with other input');
});

test('dialogs of settings are accessible', { tag: '@long' }, async ({ page, browser }, info) => {
  await enterAt(page, '/settings/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  await check(page, info, 'New role');
  await page.goto('/settings/audit');
  await page.getByRole('table').getByRole('button').first().click();
  await check(page, info, 'Audit entry');

  const name = `Colleague ${Date.now()}`;
  const second = await joinedBy(page, browser, name, '/workflows');
  await second.context().close();
  await page.goto('/settings/members');
  for (const [item, title] of [
    ['Change roles …', `Roles of ${name}`],
    ['Roles on single objects …', `Roles of ${name} on single objects`],
    ['Sessions …', `Sessions of ${name}`],
  ] as const) {
    await page.getByRole('row', { name }).getByRole('button', { name: 'Actions for' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await check(page, info, title);
  }
  await page.goto('/workflows');
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Share …' }).click();
  const sharing = page.getByRole('dialog', { name: /^Share / });
  await sharing.getByRole('combobox', { name: 'Member' }).click();
  await page.getByRole('option', { name }).click();
  await sharing.getByRole('button', { name: 'Share' }).click();
  const shared = sharing.getByRole('listitem').filter({ hasText: name });
  await expect(shared).toContainText('Editor');
  await expectDialogAccessible(page, info, 'share');
  await shared.getByRole('button', { name: `Remove: Editor for ${name}` }).click();
  await expect(sharing.getByText('Not shared with single members.')).toBeVisible();
  await page.goto('/settings/workspace');
  await page.getByRole('button', { name: 'Transfer ownership' }).click();
  await check(page, info, /^Transfer /);
});
