import { styleText } from 'node:util';
import type { Command } from 'commander';
import { resolveServiceUrl } from '../config.js';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { toPlainLine, printLine, printJson } from '../output.js';

/** A search result of the service. */
interface DocsSearchHit {
  title: string;
  heading: string;
  /** From the root of the service. */
  address: string;
  excerpt: string;
  /** Words by which it was found, in lower case. */
  marks: string[];
}

const MAX_PRINTED_HITS = 5;

/**
 * Searches on the service and not in an index of this package, so that the pages fit the version of the service. No
 * sign-in is needed.
 */
export function addDocsCommand(program: Command): void {
  program
    .command('docs')
    .description('search the documentation of the service')
    .argument('<words...>', 'what to look for, such as: weft docs retry a failed step')
    .option('--url <address>', 'the service, such as https://weft.example.com')
    .action(async (words: string[], { url: given }: { url?: string }, command: Command) => {
      const url = resolveServiceUrl(given);
      const search = words.join(' ');
      const hits = (await searchDocs(url, search)).slice(0, MAX_PRINTED_HITS);
      if (command.optsWithGlobals()['json']) return printJson(hits.map((hit) => ({ ...hit, url: url + hit.address })));
      if (hits.length === 0)
        throw new CommandFailure(
          `No page has words like these. Try another word for the same thing, or open ${url}/docs`,
        );
      for (const [at, { title, heading, address, excerpt, marks }] of hits.entries()) {
        if (at > 0) printLine('');
        printLine(highlightWords(heading ? `${title} › ${heading}` : title, marks));
        printLine(`  ${highlightWords(excerpt, marks)}`);
        printLine(`  ${toPlainLine(url + address)}`);
      }
    });
}

async function searchDocs(url: string, search: string): Promise<DocsSearchHit[]> {
  const answer = await fetch(`${url}/docs/search.json?q=${encodeURIComponent(search)}`).catch((error: unknown) => {
    const { cause } = error as { cause?: { message?: string } };
    throw new CommandFailure(
      `${url} can not be reached${cause?.message ? ` (${cause.message})` : ''}.`,
      EXIT_CODES.network,
    );
  });
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  if (answer.ok && isJson) return (await answer.json()) as DocsSearchHit[];
  if (answer.status >= 500) throw new CommandFailure(`${url} answered ${answer.status}.`, EXIT_CODES.network);
  throw new CommandFailure(
    `${url} has no search of its documentation: it answered ${answer.status}. It may be an older version.`,
  );
}

/** In a terminal, the words by which a page was found are bold. */
function highlightWords(text: string, marks: readonly string[]): string {
  const plain = toPlainLine(text);
  if (!process.stdout.isTTY || process.env['NO_COLOR']) return plain;
  return plain.replace(/[\p{L}\p{N}]+/gu, (word) =>
    marks.includes(word.toLowerCase()) ? styleText('bold', word) : word,
  );
}
