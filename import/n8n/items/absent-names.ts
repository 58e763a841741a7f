/** Names that code of n8n 2.41 does not have either, and how it uses them. */
const ABSENT_IN_BOTH = /(?<![.\w$])(?:fetch(?=\()|process(?=\.))/g;
/** Names and modules that code of n8n has, or may have by its settings, but Weft not. */
const MISSING_HERE =
  /getWorkflowStaticData|\bgetNodeParameter\b|\bhelpers\.|\bset(?:Timeout|Interval|Immediate)\b|\brandomBytes\b|\brequire\((?!\s*['"`](?:node:)?(?:crypto|buffer|luxon|url)['"`])/;
/** What the nodes before the code node have, too. */
const MISSING_IN_FORMER = /(?<![.\w$])process(?=\.)/;

/** What a program does with an error that it catches begins with its name. */
const CAUGHT = /\bcatch\s*\(\s*(?:async\s*)?(?:function\b\s*\w*\s*)?\(?\s*([\w$]+)/g;
const LOGGED = /\bconsole\.\w+\([^\n;]*/g;

/** Whether code may show the text of an error that it catches. */
function readsCaughtErrors(source: string): boolean {
  const text = source.replaceAll(LOGGED, '');
  const names = new Set([...text.matchAll(CAUGHT)].map(([, name = '']) => name));
  const shown = text.replaceAll(CAUGHT, '');
  const words = new Set(shown.match(/[\w$]+/g));
  return [...names].some((name) => words.has(name));
}

/** How code asks whether a name exists. */
const ASKS_TYPE = /\btypeof\s*\(?\s*(?:fetch|process)\b/;

/**
 * What code names that does not exist here. `isEqual`: it fails in n8n, too. `isShown`: the code may show the text of that
 * failure, which has other words here. `isFormer`: it is code of the nodes before the code node.
 */
export function findAbsentNames(
  source: string,
  isFormer: boolean,
): { names: string[]; isEqual: boolean; isShown: boolean } {
  const former = isFormer ? MISSING_IN_FORMER.exec(source) : null;
  const missing = (MISSING_HERE.exec(source) ?? former)?.[0];
  if (missing !== undefined) return { names: [missing.replace(/[.(]$/, '')], isEqual: false, isShown: false };
  const names = [...new Set(source.match(ABSENT_IN_BOTH))];
  const isShown = names.length > 0 && readsCaughtErrors(source);
  return { names, isEqual: !isShown || !ASKS_TYPE.test(source), isShown };
}
