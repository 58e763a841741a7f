import { closeSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STATUS_CODES } from 'node:http';
import type { Command } from 'commander';
import { connect, refusalAdvice, serviceUrl } from '../config.js';
import { EXIT, exitFor, Failure } from '../failure.js';
import { parseJson, readStdin } from '../input.js';
import { clean, note, print } from '../output.js';

const JSON_TYPE = 'application/json';

export function addApi(program: Command): void {
  program
    .command('api <method> <path>')
    .description('call an address of the service, and print its answer')
    .option('-d, --data <body>', 'the body: JSON, @<file>, or - for standard input')
    .option('-q, --query <name=value>', 'a parameter of the query; may be repeated', collected, [])
    .option('-t, --content-type <type>', 'the type of the body', JSON_TYPE)
    .option('-i, --include', 'print the status and the headers before the body')
    .action(callApi);
}

const collected = (one: string, before: string[]): string[] => [...before, one];

interface ApiOptions {
  data?: string;
  query: string[];
  contentType: string;
  include?: boolean;
}

async function callApi(method: string, path: string, options: ApiOptions): Promise<void> {
  // The key is sent to the service alone, so nothing but a path is taken.
  if (!/^\/(?!\/)/.test(path))
    throw new Failure(`${path} is not a path of ${serviceUrl()}, such as /api/workflows`, EXIT.usage);
  if (!/^[a-z]+$/i.test(method)) throw new Failure(`${method} is not a method, such as GET or POST`, EXIT.usage);
  if (options.data !== undefined && /^(get|head)$/i.test(method))
    throw new Failure(`${method.toUpperCase()} has no body: leave --data out`, EXIT.usage);
  const body = options.data === undefined ? undefined : await bodyOf(options.data, options.contentType);
  const url = `${path}${path.includes('?') ? '&' : '?'}${queryOf(options.query)}`.replace(/[?&]$/, '');
  const { contentType } = options;
  const answer = await connect().request(method, url, { contentType, ...(body === undefined ? {} : { body }) });
  if (options.include) printHead(answer);
  await printBody(answer);
  const exit = exitFor(answer.status);
  process.exitCode = exit;
  if (exit === EXIT.signedOut) note(clean(refusalAdvice()));
  else if (!answer.ok && !options.include) note(clean(statusLine(answer)));
}

function queryOf(pairs: string[]): string {
  const query = new URLSearchParams();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new Failure(`--query takes <name>=<value>, not ${pair}`, EXIT.usage);
    query.append(pair.slice(0, at), pair.slice(at + 1));
  }
  return String(query);
}

/** Files of other types than JSON are read while they are sent. */
async function bodyOf(data: string, contentType: string): Promise<string | Blob> {
  const file = data.startsWith('@') ? data.slice(1) : undefined;
  if (file !== undefined && contentType !== JSON_TYPE) {
    // Says what is wrong with a file that can not be opened.
    closeSync(openSync(file, 'r'));
    return openAsBlob(file);
  }
  const text = data === '-' ? await readStdin() : file === undefined ? data : readFileSync(file, 'utf8');
  if (contentType === JSON_TYPE) parseJson(text, 'The body');
  return text;
}

const statusLine = ({ status, statusText }: Pick<Response, 'status' | 'statusText'>): string =>
  `HTTP ${status} ${statusText || (STATUS_CODES[status] ?? '')}`.trimEnd();

/** Without the headers that do not hold for what is printed below: `fetch` has decoded the body, and JSON is indented. */
function printHead({ status, statusText, headers, body }: Response): void {
  print(clean(statusLine({ status, statusText })));
  const isDecoded = body !== null && headers.has('content-encoding');
  const isOther = isDecoded || (body !== null && isJson(headers));
  for (const [name, value] of headers) {
    if ((name === 'content-encoding' && isDecoded) || (name === 'content-length' && isOther)) continue;
    print(clean(`${name}: ${value}`));
  }
  print('');
}

const isJson = (headers: Headers): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');

async function printBody(answer: Response): Promise<void> {
  if (!answer.body) return;
  if (!isJson(answer.headers))
    return pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), process.stdout, {
      end: false,
    });
  const text = await answer.text();
  print(indented(text));
}

/** JSON in lines; as it is if that would change its numbers. */
function indented(text: string): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
}
