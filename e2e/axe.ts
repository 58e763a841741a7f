import { expect, type Page, type TestInfo } from '@playwright/test';
import axe, { type Check, type ElementContext, type RunOptions } from 'axe-core';
import { HAS_PICTURES, picture } from './person';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Levels A and AA of WCAG 2.0 to 2.2, and what the makers of axe recommend besides. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const OPTIONS: RunOptions = {
  runOnly: RULES,
  resultTypes: ['violations'],
  // Without the style sheets, which axe would parse for a rule that is off.
  preload: { assets: ['media'] },
  // The frames of mails run no script, so not axe either.
  iframes: false,
};

/** Content that needs no landmark around it: dialogs, and likewise menus, which stand over the page. */
const REGION: Check = { id: 'region', options: { regionMatcher: 'dialog, [role=dialog], [role=menu], svg' } };

/** The rules that depend on colours. */
const COLOURS: RunOptions = { ...OPTIONS, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** The violations that axe finds, with the elements that have them. `part`: a selector of the element to check. */
export async function violations(page: Page, part?: string, options = OPTIONS): Promise<string[]> {
  // A document takes axe once: to evaluate its source takes as long as to check a page.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
    await page.evaluate((check) => window.axe.configure({ checks: [check] }), REGION);
  }
  return page.evaluate(runAxe, { context: { include: part ?? 'html' }, options });
}

/** Runs in the page. */
async function runAxe({ context, options }: { context: ElementContext; options: RunOptions }): Promise<string[]> {
  const { violations: all } = await window.axe.run(context, options);
  return all.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** A colour during a transition may lack contrast. */
const finishTransitions = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  });

/**
 * Half of the commits check light colours, the others dark ones. `E2E_COLOURS=both` checks both; rules that do not
 * depend on colours run once.
 */
const BOTH = ['light', 'dark'] as const;
const isBoth = process.env.E2E_COLOURS === 'both' || HAS_PICTURES;
const schemes = BOTH.filter((_, index) => isBoth || index === Number(process.env.TEST_SEED) % BOTH.length);

/** Checks a page in light or dark colours. With E2E_PICTURES=true it keeps a picture of each. */
export const expectAccessible = (page: Page, info: TestInfo, name: string) => expectSchemes(page, info, name);

/** The same of a part of the page, by its selector. */
export const expectPartAccessible = (page: Page, info: TestInfo, name: string, part: string) =>
  expectSchemes(page, info, name, part);

/** The same of the open dialog alone, which takes less time: the page behind it is checked by itself. */
export const expectDialogAccessible = (page: Page, info: TestInfo, name: string) =>
  expectPartAccessible(page, info, name, '[role=dialog]');

async function expectSchemes(page: Page, info: TestInfo, name: string, part?: string): Promise<void> {
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await finishTransitions(page);
    await picture(page, info, `${name}-${colorScheme}`);
    const look = () => violations(page, part, index === 0 ? OPTIONS : COLOURS);
    // The page may still be drawing what a click has changed, partly in the colours before. What stays is a finding.
    await expect.poll(look, { message: name, timeout: 10_000 }).toEqual([]);
  }
}
