import { styleText } from 'node:util';
import type { Command } from 'commander';
import { serviceUrl } from '../config.js';
import { EXIT, Failure } from '../failure.js';
import { clean, print, printJson } from '../output.js';

/** A page that answers a search, as the service says it. */
interface Hit {
  title: string;
  heading: string;
  /** From the root of the service. */
  address: string;
  excerpt: string;
  /** Words by which it was found, in lower case. */
  marks: string[];
}

const MOST = 5;

/** Asks the service, and not an index in this package: so the pages are those of the version that answers the other commands. No sign-in is needed. */
export function addDocs(program: Command): void {
  program
    .command('docs')
    .description('search the documentation of the service')
    .argument('<words...>', 'what to look for, such as: weft docs retry a failed step')
    .option('--url <address>', 'the service, such as https://weft.example.com')
    .action(async (words: string[], { url: given }: { url?: string }, command: Command) => {
      const url = serviceUrl(given);
      const search = words.join(' ');
      const hits = (await ask(url, search)).slice(0, MOST);
      if (command.optsWithGlobals()['json']) return printJson(hits.map((hit) => ({ ...hit, url: url + hit.address })));
      if (hits.length === 0)
        throw new Failure(`No page has words like these. Try another word for the same thing, or open ${url}/docs`);
      for (const [at, { title, heading, address, excerpt, marks }] of hits.entries()) {
        if (at > 0) print('');
        print(highlight(heading ? `${title} › ${heading}` : title, marks));
        print(`  ${highlight(excerpt, marks)}`);
        print(`  ${clean(url + address)}`);
      }
    });
}

async function ask(url: string, search: string): Promise<Hit[]> {
  const answer = await fetch(`${url}/docs/search.json?q=${encodeURIComponent(search)}`).catch((error: unknown) => {
    const { cause } = error as { cause?: { message?: string } };
    throw new Failure(`${url} can not be reached${cause?.message ? ` (${cause.message})` : ''}.`, EXIT.network);
  });
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  if (answer.ok && isJson) return (await answer.json()) as Hit[];
  if (answer.status >= 500) throw new Failure(`${url} answered ${answer.status}.`, EXIT.network);
  throw new Failure(
    `${url} has no search of its documentation: it answered ${answer.status}. It may be an older version.`,
  );
}

/** In a terminal, the words by which a page was found are bold. */
function highlight(text: string, marks: readonly string[]): string {
  const plain = clean(text);
  if (!process.stdout.isTTY || process.env['NO_COLOR']) return plain;
  return plain.replace(/[\p{L}\p{N}]+/gu, (word) =>
    marks.includes(word.toLowerCase()) ? styleText('bold', word) : word,
  );
}
