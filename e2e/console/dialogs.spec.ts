import { expect, type Page, type TestInfo } from '@playwright/test';
import { expectDialogAccessible } from '../axe';
import { node, openDrawn } from '../drawn';
import { enter, enterAt, findWorkflow, joinedBy } from '../person';
import { test } from '../test';

/** Checks the open dialog of a name once it is loaded, and closes it. */
async function check(page: Page, info: TestInfo, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator('[aria-busy=true], .mantine-Skeleton-root')).toHaveCount(0);
  await expectDialogAccessible(page, info, String(name).replaceAll(/\W+/g, '-'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

test('dialogs of lists are accessible in light and dark colours', async ({ page }, info) => {
  const name = `Checked ${Date.now()}`;
  await enter(page);
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
    ['Move', 'Move 1 workflow'],
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

test('dialogs of triggers and runs are accessible in light and dark colours', async ({ page }, info) => {
  await enter(page);
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

test('dialogs of settings are accessible in light and dark colours', async ({ page, browser }, info) => {
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
  await expect(shared).toContainText('editor');
  await expectDialogAccessible(page, info, 'share');
  await shared.getByRole('button', { name: `Remove: editor for ${name}` }).click();
  await expect(sharing.getByText('Not shared with single members.')).toBeVisible();
  await page.goto('/settings/workspace');
  await page.getByRole('button', { name: 'Transfer ownership' }).click();
  await check(page, info, /^Transfer /);
});
