import { WeftError } from '@weft/client';
import type { Command } from 'commander';
import { connect } from '../config.js';
import { parseJson, readObject, readStdin } from '../input.js';
import { print, printJson, printTable } from '../output.js';

/** Variables and credentials: their names are listed, their values are read from standard input and never printed. */
export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('variables and credentials: names, and new values');
  secrets.command('list').description('list the names').action(list);
  secrets
    .command('set <name>')
    .description('set a variable to the text of standard input')
    .option('--parse', 'the text is JSON')
    .action(setVariable);
  secrets
    .command('set-credential <id>')
    .description('replace the config of a credential by the JSON object of standard input')
    .action(setCredential);
}

async function list(_options: object, command: Command): Promise<void> {
  const weft = connect();
  const names: { kind: string; id: string; name: string; type: string }[] = [];
  for await (const { name } of weft.all('/api/variables')) names.push({ kind: 'variable', id: name, name, type: '' });
  for await (const { id, name, type } of weft.all('/api/credentials'))
    names.push({ kind: 'credential', id, name, type });
  if (command.optsWithGlobals()['json']) return printJson(names);
  printTable([['KIND', 'ID', 'TYPE', 'NAME'], ...names.map(({ kind, id, type, name }) => [kind, id, type, name])]);
}

async function setVariable(name: string, { parse }: { parse?: boolean }): Promise<void> {
  const text = await readStdin();
  const value: unknown = parse ? parseJson(text, 'Standard input') : text;
  const weft = connect();
  try {
    await weft.put('/api/variables/{name}', { path: { name }, body: { value } });
    print(`${name} changed`);
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 404)) throw error;
    await weft.post('/api/variables', { body: { name, value } });
    print(`${name} created`);
  }
}

async function setCredential(id: string): Promise<void> {
  const config = await readObject('-');
  await connect().put('/api/credentials/{id}', { path: { id }, body: { config } });
  print(`${id} changed`);
}
