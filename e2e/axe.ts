import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';
import { picture } from './person';

/** The serious and critical violations that axe reports, with the elements that have them. */
async function found(builder: AxeBuilder): Promise<string[]> {
  const { violations: all } = await builder.analyze();
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Legacy mode: axe collects its results in the page itself. No page here has a frame of another origin. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode();

export const violations = (page: Page): Promise<string[]> => found(axe(page));

/** A colour during a transition may lack contrast. */
const finishTransitions = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  });

/**
 * Checks a page in light and in dark colours. Of axe's rules only those of contrast depend on colours, so the others run
 * once. With E2E_PICTURES=true it keeps a picture of each.
 */
export const expectAccessible = (page: Page, info: TestInfo, name: string) => expectBoth(page, info, name);

/** The same of the open dialog alone, which takes less time: the page behind it is checked by itself. */
export const expectDialogAccessible = (page: Page, info: TestInfo, name: string) =>
  expectBoth(page, info, name, '[role=dialog]');

async function expectBoth(page: Page, info: TestInfo, name: string, part?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await finishTransitions(page);
    await picture(page, info, `${name}-${colorScheme}`);
    const look = () => {
      const builder = part ? axe(page).include(part) : axe(page);
      return found(colorScheme === 'light' ? builder : builder.withRules('color-contrast'));
    };
    // The page may still be drawing what a click has changed, partly in the colours before. What stays is a finding.
    await expect.poll(look, { message: name, timeout: 10_000 }).toEqual([]);
  }
}
