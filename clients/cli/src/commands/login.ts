import { Weft, WeftError } from '@weft/client';
import type { Command } from 'commander';
import { connectClient, forgetSignIn, readStoredSignIn, resolveServiceUrl, storeSignIn } from '../config.js';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { promptForLine, readStandardInput } from '../input.js';
import { toPlainLine, printLine, printJson } from '../output.js';

interface LoginCommandOptions {
  url?: string;
  apiKey?: boolean;
  email?: string;
  workspace?: string;
}

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .description('sign in, and store what authenticates in the configuration directory')
    .option('--url <address>', 'the service, such as https://weft.example.com')
    .option('--api-key', 'read an API key from standard input, or ask for it')
    .option('--email <address>', 'sign in with a password, which is asked for or read from standard input')
    .option('--workspace <id>', 'the workspace of further calls, for people in several')
    .action(runLoginCommand);
  program
    .command('logout')
    .description('end the session and remove what is stored')
    .action(async () => {
      const stored = readStoredSignIn();
      if (stored?.tokens) await connectClient().post('/api/auth/logout').catch(ignoreSignedOut);
      forgetSignIn();
    });
  program
    .command('whoami')
    .description('show who is signed in, and the workspaces')
    .action(async (_options: object, command: Command) => {
      const me = await connectClient().me();
      if (command.optsWithGlobals()['json']) return printJson(me);
      printLine(`${toPlainLine(me.user.email)} at ${resolveServiceUrl()}`);
      for (const { id, name, role } of me.workspaces) printLine(`  ${id}  ${toPlainLine(name)}  ${toPlainLine(role)}`);
    });
}

const rethrowRefusedKey =
  (url: string) =>
  (error: unknown): never => {
    if (!(error instanceof WeftError && error.status === 401)) throw error;
    throw new CommandFailure(
      `${url} refuses this API key: it is wrong, has expired or was revoked. Nothing was stored.`,
      EXIT_CODES.signedOut,
    );
  };

/** A session that has already ended need not be ended. */
function ignoreSignedOut(error: unknown): void {
  if (!(error instanceof WeftError && error.status === 401)) throw error;
}

async function runLoginCommand({ url: given, apiKey, email, workspace }: LoginCommandOptions): Promise<void> {
  const url = resolveServiceUrl(given);
  const secret = (question: string) =>
    process.stdin.isTTY ? promptForLine(question, { isSecret: true }) : readStandardInput();
  if (apiKey) {
    const key = (await secret('API key')).trim();
    const { user } = await new Weft({ url, apiKey: key }).me().catch(rethrowRefusedKey(url));
    storeSignIn({ url, apiKey: key });
    return printLine(`Signed in to ${url} as ${toPlainLine(user.email)}.`);
  }
  const address = email ?? (await promptForLine('Email'));
  const password = await secret('Password');
  const sign = (mfaCode?: string) => Weft.signIn({ url, email: address, password, mfaCode, workspaceId: workspace });
  const weft = await sign().catch(async (error: unknown) => {
    const isAsking = error instanceof WeftError && error.details[0]?.field === 'mfaCode';
    if (!isAsking) throw error;
    return sign((await promptForLine('Code of the second factor')).trim());
  });
  const { user } = await weft.me();
  storeSignIn({
    url,
    ...(weft.tokens && { tokens: weft.tokens }),
    ...(workspace === undefined ? {} : { workspaceId: workspace }),
  });
  printLine(`Signed in to ${url} as ${toPlainLine(user.email)}.`);
}
