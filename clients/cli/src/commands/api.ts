import { closeSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATUS_CODES } from 'node:http';
import type { Command } from 'commander';
import { connectClient, refusedSignInAdvice, resolveServiceUrl } from '../config.js';
import { EXIT_CODES, exitCodeForStatus, CommandFailure } from '../failure.js';
import { parseJsonInput, readStandardInput } from '../input.js';
import { toPlainLine, printErrorLine, printLine } from '../output.js';

const JSON_MEDIA_TYPE = 'application/json';

export function addApiCommand(program: Command): void {
  program
    .command('api <method> <path>')
    .description('call an address of the service, and print its answer')
    .option('-d, --data <body>', 'the body: JSON, @<file>, or - for standard input')
    .option('-q, --query <name=value>', 'a parameter of the query; may be repeated', collectOptionValue, [])
    .option('-t, --content-type <type>', 'the type of the body', JSON_MEDIA_TYPE)
    .option('-i, --include', 'print the status and the headers before the body')
    .action(runApiCommand);
}

const collectOptionValue = (one: string, before: string[]): string[] => [...before, one];

interface ApiCommandOptions {
  data?: string;
  query: string[];
  contentType: string;
  include?: boolean;
}

async function runApiCommand(method: string, path: string, options: ApiCommandOptions): Promise<void> {
  // The key is sent to the service alone, so nothing but a path is taken.
  if (!/^\/(?!\/)/.test(path))
    throw new CommandFailure(
      `${path} is not a path of ${resolveServiceUrl()}, such as /api/workflows`,
      EXIT_CODES.usage,
    );
  if (!/^[a-z]+$/i.test(method))
    throw new CommandFailure(`${method} is not a method, such as GET or POST`, EXIT_CODES.usage);
  if (options.data !== undefined && /^(get|head)$/i.test(method))
    throw new CommandFailure(`${method.toUpperCase()} has no body: leave --data out`, EXIT_CODES.usage);
  const body = options.data === undefined ? undefined : await readBodyOption(options.data, options.contentType);
  const url = `${path}${path.includes('?') ? '&' : '?'}${buildQueryString(options.query)}`.replace(/[?&]$/, '');
  const { contentType } = options;
  const answer = await connectClient().request(method, url, { contentType, ...(body === undefined ? {} : { body }) });
  if (options.include) printResponseHead(answer);
  await printResponseBody(answer);
  const exit = exitCodeForStatus(answer.status);
  process.exitCode = exit;
  if (exit === EXIT_CODES.signedOut) printErrorLine(toPlainLine(refusedSignInAdvice()));
  else if (!answer.ok && !options.include) printErrorLine(toPlainLine(formatStatusLine(answer)));
}

function buildQueryString(pairs: string[]): string {
  const query = new URLSearchParams();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new CommandFailure(`--query takes <name>=<value>, not ${pair}`, EXIT_CODES.usage);
    query.append(pair.slice(0, at), pair.slice(at + 1));
  }
  return String(query);
}

/** Files of other types than JSON are read while they are sent. */
async function readBodyOption(data: string, contentType: string): Promise<string | Blob> {
  const file = data.startsWith('@') ? data.slice(1) : undefined;
  if (file !== undefined && contentType !== JSON_MEDIA_TYPE) {
    // Opening the file first gives a clear error if it can not be read.
    closeSync(openSync(file, 'r'));
    return openAsBlob(file);
  }
  const text = data === '-' ? await readStandardInput() : file === undefined ? data : readFileSync(file, 'utf8');
  if (contentType === JSON_MEDIA_TYPE) parseJsonInput(text, 'The body');
  return text;
}

const formatStatusLine = ({ status, statusText }: Pick<Response, 'status' | 'statusText'>): string =>
  `HTTP ${status} ${statusText || (STATUS_CODES[status] ?? '')}`.trimEnd();

/**
 * Leaves out headers that are wrong for the printed body, which `fetch` has decoded and which is indented if it is
 * JSON.
 */
function printResponseHead({ status, statusText, headers, body }: Response): void {
  printLine(toPlainLine(formatStatusLine({ status, statusText })));
  const isDecoded = body !== null && headers.has('content-encoding');
  const isOther = isDecoded || (body !== null && hasJsonBody(headers));
  for (const [name, value] of headers) {
    if ((name === 'content-encoding' && isDecoded) || (name === 'content-length' && isOther)) continue;
    printLine(toPlainLine(`${name}: ${value}`));
  }
  printLine('');
}

const hasJsonBody = (headers: Headers): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');

async function printResponseBody(answer: Response): Promise<void> {
  if (!answer.body) return;
  if (!hasJsonBody(answer.headers))
    return pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), process.stdout, {
      end: false,
    });
  const text = await answer.text();
  printLine(indentJson(text));
}

/** Indents JSON. It stays as it is if parsing would change its numbers. */
function indentJson(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}
