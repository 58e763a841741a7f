import { Argument, type Command } from 'commander';
import { buildCompletionScript, COMPLETION_SHELLS, type CompletionShell } from '../completion.js';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(COMPLETION_SHELLS))
    .action((shell: CompletionShell) => void process.stdout.write(buildCompletionScript(program, shell)));
}
