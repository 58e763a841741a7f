import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { node } from '../drawn';
import { expectDialogAccessible } from '../axe';
import { HAS_PICTURES, makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

test('a file is uploaded for a run, shown with its data, and downloaded', async ({ page }, info) => {
  await takeSession(page);
  await makeWorkflow(page, 'Takes files', { nodes: [node('start', 'start', 0)], connections: [] });
  await page.getByRole('button', { name: 'Run options' }).click();
  await page.getByRole('menuitem', { name: 'Run with input …' }).click();
  const dialog = page.getByRole('dialog');
  const upload = async (name: string, mimeType: string, buffer: Buffer) => {
    await dialog.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await expect(dialog.getByRole('status')).toHaveText(`${name} is in the input.`);
  };
  await upload('notes.txt', 'text/plain', Buffer.from('Good morning.\n'.repeat(40)));
  await upload('picture.png', 'image/png', readFileSync('public/screenshot.png'));
  await expectDialogAccessible(page, info, 'uploaded');
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();

  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByText('Done').first()).toBeVisible();
  await run.getByRole('tab', { name: 'Data' }).click();
  const output = run.getByRole('group', { name: 'Output', exact: true });
  const notes = output.getByRole('region', { name: 'File notes.txt' });
  await expect(notes).toContainText('560 bytes · text/plain');
  await notes.getByRole('button', { name: 'Preview notes.txt' }).click();
  await expect(notes).toContainText('Good morning.');
  const image = output.getByRole('region', { name: 'File picture.png' });
  await image.getByRole('button', { name: 'Preview picture.png' }).press('Enter');
  await expect(image.getByRole('img', { name: 'picture.png' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await notes.getByRole('button', { name: 'Download notes.txt' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('notes.txt');
  expect(readFileSync(await download.path(), 'utf8')).toContain('Good morning.');
  await picture(page, info, 'shown');
  if (HAS_PICTURES) {
    await page.setViewportSize({ width: 375, height: 800 });
    await picture(page, info, 'narrow');
  }
});
