#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addApiCommand } from './commands/api.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDocsCommand } from './commands/docs.js';
import { addImportCommand } from './commands/import.js';
import { addLoginCommands } from './commands/login.js';
import { addProjectCommands } from './commands/project.js';
import { addRunCommands } from './commands/runs.js';
import { addSecretCommands } from './commands/secrets.js';
import { addTestCommands } from './commands/tests.js';
import { addWorkflowCommands } from './commands/workflows.js';
import { refusedSignInAdvice } from './config.js';
import { EXIT_CODES, explainError } from './failure.js';
import { toPlainLine, exitOnClosedOutput, printErrorLine } from './output.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const weftProgram = new Command('weft')
  .description('workflows, runs and secrets of a Weft service')
  .version(version)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nEnvironment: WEFT_URL, WEFT_API_KEY, WEFT_WORKSPACE_ID.\nExit codes: 0 done, 1 failed or different, 2 wrong usage, 3 not signed in, 4 service not reachable.',
  )
  .exitOverride();
addLoginCommands(weftProgram);
addWorkflowCommands(weftProgram);
addImportCommand(weftProgram);
addProjectCommands(weftProgram);
addRunCommands(weftProgram);
addTestCommands(weftProgram);
addSecretCommands(weftProgram);
addDocsCommand(weftProgram);
addApiCommand(weftProgram);
// The last one: it reads the table of commands.
addCompletionCommand(weftProgram);

exitOnClosedOutput();
try {
  await weftProgram.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the message or the help.
    process.exitCode = error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
  } else {
    const { message, exit } = explainError(error, refusedSignInAdvice());
    for (const line of message.split('\n')) printErrorLine(toPlainLine(line));
    process.exitCode = exit;
  }
}
