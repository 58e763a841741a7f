import { Weft, WeftError } from '@weft/client';
import type { Command } from 'commander';
import { connect, forget, readStored, serviceUrl, store } from '../config.js';
import { EXIT, Failure } from '../failure.js';
import { ask, readStdin } from '../input.js';
import { clean, print, printJson } from '../output.js';

interface LoginOptions {
  url?: string;
  apiKey?: boolean;
  email?: string;
  workspace?: string;
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('sign in, and store what authenticates in the configuration directory')
    .option('--url <address>', 'the service, such as https://weft.example.com')
    .option('--api-key', 'read an API key from standard input, or ask for it')
    .option('--email <address>', 'sign in with a password, which is asked for or read from standard input')
    .option('--workspace <id>', 'the workspace of further calls, for people in several')
    .action(login);
  program
    .command('logout')
    .description('end the session and remove what is stored')
    .action(async () => {
      const stored = readStored();
      if (stored?.tokens) await connect().post('/api/auth/logout').catch(ignoreSignedOut);
      forget();
    });
  program
    .command('whoami')
    .description('show who is signed in, and the workspaces')
    .action(async (_options: object, command: Command) => {
      const me = await connect().me();
      if (command.optsWithGlobals()['json']) return printJson(me);
      print(`${clean(me.user.email)} at ${serviceUrl()}`);
      for (const { id, name, role } of me.workspaces) print(`  ${id}  ${clean(name)}  ${clean(role)}`);
    });
}

const asRefusedKey =
  (url: string) =>
  (error: unknown): never => {
    if (!(error instanceof WeftError && error.status === 401)) throw error;
    throw new Failure(
      `${url} refuses this API key: it is wrong, has expired or was revoked. Nothing was stored.`,
      EXIT.signedOut,
    );
  };

/** A session that is over needs no end. */
function ignoreSignedOut(error: unknown): void {
  if (!(error instanceof WeftError && error.status === 401)) throw error;
}

async function login({ url: given, apiKey, email, workspace }: LoginOptions): Promise<void> {
  const url = serviceUrl(given);
  const secret = (question: string) => (process.stdin.isTTY ? ask(question, { isSecret: true }) : readStdin());
  if (apiKey) {
    const key = (await secret('API key')).trim();
    const { user } = await new Weft({ url, apiKey: key }).me().catch(asRefusedKey(url));
    store({ url, apiKey: key });
    return print(`Signed in to ${url} as ${clean(user.email)}.`);
  }
  const address = email ?? (await ask('Email'));
  const password = await secret('Password');
  const sign = (mfaCode?: string) => Weft.signIn({ url, email: address, password, mfaCode, workspaceId: workspace });
  const weft = await sign().catch(async (error: unknown) => {
    const isAsking = error instanceof WeftError && error.details[0]?.field === 'mfaCode';
    if (!isAsking) throw error;
    return sign((await ask('Code of the second factor')).trim());
  });
  const { user } = await weft.me();
  store({
    url,
    ...(weft.tokens && { tokens: weft.tokens }),
    ...(workspace === undefined ? {} : { workspaceId: workspace }),
  });
  print(`Signed in to ${url} as ${clean(user.email)}.`);
}
