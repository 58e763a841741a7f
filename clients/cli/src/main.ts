#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addApi } from './commands/api.js';
import { addCompletion } from './commands/completion.js';
import { addDocs } from './commands/docs.js';
import { addImport } from './commands/import.js';
import { addLogin } from './commands/login.js';
import { addProject } from './commands/project.js';
import { addRuns } from './commands/runs.js';
import { addSecrets } from './commands/secrets.js';
import { addTests } from './commands/tests.js';
import { addWorkflows } from './commands/workflows.js';
import { refusalAdvice } from './config.js';
import { EXIT, explain } from './failure.js';
import { clean, exitOnClosedOutput, note } from './output.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('weft')
  .description('workflows, runs and secrets of a Weft service')
  .version(version)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\nEnvironment: WEFT_URL, WEFT_API_KEY, WEFT_WORKSPACE_ID.\nExit codes: 0 done, 1 failed or different, 2 wrong usage, 3 not signed in, 4 service not reachable.',
  )
  .exitOverride();
addLogin(program);
addWorkflows(program);
addImport(program);
addProject(program);
addRuns(program);
addTests(program);
addSecrets(program);
addDocs(program);
addApi(program);
// The last one: it reads the table of commands.
addCompletion(program);

exitOnClosedOutput();
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed the message or the help.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  } else {
    const { message, exit } = explain(error, refusalAdvice());
    for (const line of message.split('\n')) note(clean(line));
    process.exitCode = exit;
  }
}
