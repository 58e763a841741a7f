import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Weft, type Tokens } from '@weft/client';
import { EXIT_CODES, CommandFailure } from './failure.js';

/** The sign-in that `weft login` stores. */
interface StoredSignIn {
  url: string;
  apiKey?: string;
  tokens?: Tokens;
  workspaceId?: string;
}

/** The file is in the configuration directory of the user. */
function configFilePath(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' ? APPDATA : '') || path.join(homedir(), '.config');
  return path.join(base, 'weft', 'config.json');
}

/** The stored sign-in. Undefined: there is none. */
export function readStoredSignIn(): StoredSignIn | undefined {
  let text: string;
  try {
    text = readFileSync(configFilePath(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as StoredSignIn;
  } catch {
    throw new CommandFailure(`${configFilePath()} is damaged. Sign in again with: weft login`, EXIT_CODES.signedOut);
  }
}

/** Replaces the file in one step; only its user may read it. */
export function storeSignIn(stored: StoredSignIn): void {
  const file = configFilePath();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(fresh, 0o600);
  renameSync(fresh, file);
}

export function forgetSignIn(): void {
  rmSync(configFilePath(), { force: true });
}

/** The address of the service, without a trailing slash: that of the option, of WEFT_URL, or the stored one. */
export function resolveServiceUrl(given?: string): string {
  const url = given ?? (process.env['WEFT_URL'] || readStoredSignIn()?.url);
  if (!url)
    throw new CommandFailure(
      'Which service? Sign in with `weft login --url <address>`, or set WEFT_URL.',
      EXIT_CODES.signedOut,
    );
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure(`${url} is not an address such as https://weft.example.com`, EXIT_CODES.usage);
  return url.replace(/\/+$/, '');
}

/** Describes, for messages, how the calls of this command authenticate. Undefined: there was no call yet. */
let usedSignIn: { what: string; from: string; isKey: boolean } | undefined;

/** Shortens a key as the console does: to its last characters. */
const maskApiKey = (key: string): string => (key.length > 12 ? `wk_…${key.slice(-4)}` : 'that was given');

const rememberUsedKey = (key: string, from: string): void => {
  usedSignIn = { what: `The API key ${maskApiKey(key)}`, from, isKey: true };
};

/**
 * Advice for the user when the service has refused the key or session of this command. Undefined: the command is the
 * sign-in itself.
 */
export function refusedSignInAdvice(): string | undefined {
  if (!usedSignIn) return undefined;
  const { what, from, isKey } = usedSignIn;
  const refused = `${what} from ${from} was refused by ${resolveServiceUrl()}`;
  if (!isKey) return `${refused}: the session has ended. Sign in with: weft login`;
  const next = 'Create one in the console under Settings, API keys';
  const place = from === 'WEFT_API_KEY' ? 'and set WEFT_API_KEY to it' : 'and store it with: weft login --api-key';
  return `${refused}: it is wrong, has expired or was revoked, or belongs to another service. ${next}, ${place}`;
}

/** The client of the signed-in user. Environment variables come before what is stored. */
export function connectClient(): Weft {
  const url = resolveServiceUrl();
  const workspaceId = process.env['WEFT_WORKSPACE_ID'] || undefined;
  const apiKey = process.env['WEFT_API_KEY'];
  if (apiKey) {
    rememberUsedKey(apiKey, 'WEFT_API_KEY');
    return new Weft({ url, apiKey, workspaceId });
  }
  const stored = readStoredSignIn();
  // What is stored for one service is never sent to another.
  if (!stored || stored.url !== url)
    throw new CommandFailure(`You are not signed in to ${url}. Sign in with: weft login`, EXIT_CODES.signedOut);
  const { apiKey: key, tokens } = stored;
  if (key) rememberUsedKey(key, configFilePath());
  else usedSignIn = { what: 'The sign-in', from: configFilePath(), isKey: false };
  return new Weft({
    url,
    apiKey: key,
    tokens,
    workspaceId: workspaceId ?? stored.workspaceId,
    onTokens: (renewed) => storeSignIn({ ...stored, tokens: renewed }),
  });
}
