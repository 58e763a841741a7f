import { expect } from '@playwright/test';
import { node, openDrawn, paletteOffer } from '../drawn';
import { expectAccessible } from '../axe';
import { picture, takeSession } from '../person';
import { test } from '../test';

test('a poll is created from the palette, tested, disabled and deleted', async ({ page }, info) => {
  test.slow();
  await takeSession(page);
  await openDrawn(page, 'Polls', [node('s', 'start', 0), node('t', 'transform', 320)], 's>t');
  const canvas = page.getByLabel('Workflow canvas');
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('watch');
  await paletteOffer(page, 'trigger:poll').click();

  const form = page.getByRole('form', { name: 'New poll' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('New orders');
  await form.getByLabel('Every').fill('90 s');
  await form.getByLabel('Key').fill('item.(');
  await form.getByRole('button', { name: 'Add poll' }).click();
  // Errors stand beside their fields.
  await expect(form.getByLabel('Key')).toHaveAccessibleDescription(/position/);
  await expect(form.getByLabel('URL')).toHaveAccessibleDescription(/is required/);
  await expectAccessible(page, info, 'form');
  await picture(page, info, 'errors');
  // A connector has a form, too: the service, its operation, and the parameters of that.
  const choose = async (label: string, option: string) => {
    await form.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Source', 'Connector');
  await choose('Connector', 'HubSpot');
  await choose('Operation', 'List contacts');
  await expect(form.getByRole('group', { name: 'Parameters' })).toContainText('Properties');
  await picture(page, info, 'connector');
  await choose('Source', 'HTTP request');
  await form.getByLabel('URL').fill('http://127.0.0.1:1/orders');
  await form.getByLabel('Key').fill('item.id');
  await form.getByRole('button', { name: 'Add poll' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const card = canvas.getByRole('button', { name: /^Poll New orders/ });
  await expect(card).toBeVisible();
  await expect(canvas.getByText('Starts once live')).toBeVisible();
  await picture(page, info, 'canvas');
  await card.click();
  const dialog = page.getByRole('form', { name: 'Poll New orders' });
  await dialog.getByRole('button', { name: 'Test' }).click();
  // Nothing answers at this address, or it may not be called.
  await expect(dialog.getByRole('alert')).toContainText('127.0.0.1');
  await dialog.getByRole('switch', { name: 'Poll New orders is enabled' }).press('Space');
  await expect(dialog).toContainText('Never starts');
  await picture(page, info, 'poll');
  await dialog.getByRole('button', { name: 'Delete poll New orders' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(card).toHaveCount(0);

  // A mailbox has a form of its own, and its account is created in it.
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('combobox', { name: 'Search nodes' }).fill('outlook trigger');
  await paletteOffer(page, 'trigger:mail').click();
  const mail = page.getByRole('form', { name: 'New email trigger' });
  await mail.getByRole('button', { name: 'Add email trigger' }).click();
  await expect(mail.getByRole('combobox', { name: 'Mail account' })).toHaveAccessibleDescription(/is required/);
  await mail.getByRole('button', { name: 'New credential' }).click();
  // One type of credential fits, so that nobody is asked for it.
  const credential = page.getByRole('dialog', { name: 'New credential: Mailbox (IMAP)' });
  await credential.getByRole('textbox', { name: 'Name', exact: true }).fill('Orders');
  await credential.getByLabel('Host').fill('127.0.0.1');
  await credential.getByLabel('Port').fill('1');
  await credential.getByLabel('User name').fill('ada');
  await credential.getByRole('textbox', { name: 'Password' }).fill('a-password');
  await expectAccessible(page, info, 'mailbox');
  await picture(page, info, 'mailbox');
  // It is tested when it is saved: no mail server answers there.
  await credential.getByRole('button', { name: 'Save' }).click();
  await expect(credential.getByText('Saved, but it does not work')).toBeVisible();
  await credential.getByRole('button', { name: 'Keep it as it is' }).click();
  await expect(credential).toHaveCount(0);
  await mail.getByRole('combobox', { name: 'Afterwards' }).click();
  await page.getByRole('option', { name: 'Mark as read' }).click();
  await picture(page, info, 'mail');
  await mail.getByRole('button', { name: 'Add email trigger' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await canvas.getByRole('button', { name: /^New email/ }).click();
  const saved = page.getByRole('form', { name: 'Email trigger Inbox' });
  await expect(saved.getByRole('combobox', { name: 'Afterwards' })).toHaveValue('Mark as read');
  await saved.getByRole('button', { name: 'Test' }).click();
  await expect(saved.getByRole('alert')).toContainText('127.0.0.1');
});
