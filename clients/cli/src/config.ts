import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Weft, type Tokens } from '@weft/client';
import { EXIT, Failure } from './failure.js';

/** What `weft login` stores. */
interface Stored {
  url: string;
  apiKey?: string;
  tokens?: Tokens;
  workspaceId?: string;
}

/** In the configuration directory of the user. */
function configFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' ? APPDATA : '') || path.join(homedir(), '.config');
  return path.join(base, 'weft', 'config.json');
}

/** What is stored; undefined: nothing. */
export function readStored(): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(configFile(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as Stored;
  } catch {
    throw new Failure(`${configFile()} is damaged. Sign in again with: weft login`, EXIT.signedOut);
  }
}

/** Replaces the file in one step; only its user may read it. */
export function store(stored: Stored): void {
  const file = configFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

export function forget(): void {
  rmSync(configFile(), { force: true });
}

/** The address of the service, without a trailing slash: that of the option, of WEFT_URL, or the stored one. */
export function serviceUrl(given?: string): string {
  const url = given ?? (process.env['WEFT_URL'] || readStored()?.url);
  if (!url)
    throw new Failure('Which service? Sign in with `weft login --url <address>`, or set WEFT_URL.', EXIT.signedOut);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure(`${url} is not an address such as https://weft.example.com`, EXIT.usage);
  return url.replace(/\/+$/, '');
}

/** What the calls of this command authenticate with, in words; undefined: nothing yet. */
let inUse: { what: string; from: string; isKey: boolean } | undefined;

/** A key as the console lists it: by its last characters. */
const shown = (key: string): string => (key.length > 12 ? `wk_…${key.slice(-4)}` : 'that was given');

const useKey = (key: string, from: string): void => {
  inUse = { what: `The API key ${shown(key)}`, from, isKey: true };
};

/** What to do when the service has refused what this command authenticates with; undefined: it is the sign-in itself. */
export function refusalAdvice(): string | undefined {
  if (!inUse) return undefined;
  const { what, from, isKey } = inUse;
  const refused = `${what} from ${from} was refused by ${serviceUrl()}`;
  if (!isKey) return `${refused}: the session has ended. Sign in with: weft login`;
  const next = 'Create one in the console under Settings, API keys';
  const place = from === 'WEFT_API_KEY' ? 'and set WEFT_API_KEY to it' : 'and store it with: weft login --api-key';
  return `${refused}: it is wrong, has expired or was revoked, or belongs to another service. ${next}, ${place}`;
}

/** The client of the signed-in user. Environment variables come before what is stored. */
export function connect(): Weft {
  const url = serviceUrl();
  const workspaceId = process.env['WEFT_WORKSPACE_ID'] || undefined;
  const apiKey = process.env['WEFT_API_KEY'];
  if (apiKey) {
    useKey(apiKey, 'WEFT_API_KEY');
    return new Weft({ url, apiKey, workspaceId });
  }
  const stored = readStored();
  // What is stored for one service is never sent to another.
  if (!stored || stored.url !== url)
    throw new Failure(`You are not signed in to ${url}. Sign in with: weft login`, EXIT.signedOut);
  const { apiKey: key, tokens } = stored;
  if (key) useKey(key, configFile());
  else inUse = { what: 'The sign-in', from: configFile(), isKey: false };
  return new Weft({
    url,
    apiKey: key,
    tokens,
    workspaceId: workspaceId ?? stored.workspaceId,
    onTokens: (renewed) => store({ ...stored, tokens: renewed }),
  });
}
