import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.js';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(completionScript(program, shell)));
}
