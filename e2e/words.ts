import { expect, type Page } from '@playwright/test';
import { identifierMark } from '../components/forms/testing/identifier-mark';

/** Code, what a canvas shows of workflows, and cells of tables, which hold what people have named. */
const OWN =
  'code, pre, kbd, samp, script, style, .cm-editor, .react-flow, td button, td a, td:not(:has(.mantine-Badge-label))';
/** What stands by itself as the name of something, and so begins with a capital. */
const NAMES = 'h1, h2, h3, h4, th, label, legend, dt, [role=tab], [role=option], [role=menuitem], .mantine-Badge-label';
/** Addresses of files and of places that are examples. */
const ADDRESS = /^[\w.-]+\.(?:com|org|net|json|yaml|csv)$/;
/** The id of an object that is gone. */
const SHORT_ID = /^[a-z]+_[\w-]{6}…$/;
/** A placeholder that is an expression. */
const EXPRESSION = /[(){}=$]/;
const UNREADABLE_TEXT = /\b\d{4,} ms\b|\[object|\bundefined\b|\bNaN\b/;

/** Fails for texts of the page, or of a part of it, that read like names of a program. `known`: names that are written so. */
export async function expectReadable(page: Page, part = 'body', known: readonly string[] = []): Promise<void> {
  const texts = await page.evaluate(collectTexts, { part, own: OWN, names: NAMES, expression: EXPRESSION.source });
  const found = texts.filter(({ text, isName }) => {
    if (known.includes(text)) return false;
    const words = text.split(/[\s()“”"/,;:]+/).filter((word) => !ADDRESS.test(word) && !SHORT_ID.test(word));
    const isIdentifier = (word: string) => /underscore|camel|dotted/.test(identifierMark(word) ?? '');
    return words.some(isIdentifier) || UNREADABLE_TEXT.test(text) || (isName && identifierMark(text) !== undefined);
  });
  expect(
    found.map(({ text }) => text),
    page.url(),
  ).toEqual([]);
}

/** Fails for forms that wait for a field without marking one, and for required fields whose label has no star. */
export async function expectMarkedFields(page: Page, part: string): Promise<void> {
  expect(await page.evaluate(findUnmarkedFields, part), page.url()).toEqual([]);
}

/** Runs in the page. */
function findUnmarkedFields(part: string): string[] {
  const isMarked = (label: Element) => label.textContent?.includes('*') === true;
  return [...document.querySelectorAll<HTMLFormElement>(`${part} form`)].flatMap((form) => {
    // What is only saved waits for a change.
    const submit = form.querySelector('button[type=submit]:disabled');
    const waits = submit !== null && submit.textContent?.trim() !== 'Save';
    const labels = [...form.querySelectorAll('label, legend')];
    const unmarked = [...form.querySelectorAll<HTMLInputElement>('input:required, textarea:required, select:required')]
      .flatMap((field) => [...(field.labels ?? [])])
      .filter((label) => !isMarked(label))
      .map((label) => `“${label.textContent}” is required`);
    return waits && !labels.some(isMarked) ? [...unmarked, `“${labels[0]?.textContent}” or another`] : unmarked;
  });
}

/** Runs in the page. */
function collectTexts({ part, own, names, expression }: Record<'part' | 'own' | 'names' | 'expression', string>) {
  const found: { text: string; isName: boolean }[] = [];
  for (const root of document.querySelectorAll(part)) {
    for (const field of root.querySelectorAll<HTMLInputElement>('[placeholder]'))
      if (!new RegExp(expression).test(field.placeholder)) found.push({ text: field.placeholder, isName: false });
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement: element } = node;
      const text = node.textContent?.trim() ?? '';
      if (text === '' || !element?.checkVisibility() || element.closest(own)) continue;
      found.push({ text, isName: element.closest(names)?.textContent?.trim() === text });
    }
  }
  return found;
}
