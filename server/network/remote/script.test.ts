import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCommandScript } from './script';

const VALUES = [
  '',
  'plain',
  'two words  and more',
  `it's "quoted" \\ $HOME \`id\` $(id) \${x}`,
  '; touch /tmp/x & | > < ( ) { } [ ] * ? ~ # ! ^ % =',
  '-n',
  '-e \\n',
  'line\nbreaks\n\n',
  '\r\t\v\f\u0007\u001b[0m',
  'ü 日本 👍 \u2028',
  '%s %d %% \\101 \\0 %',
  '.',
  '%.',
  "'",
  '\\',
];

/** What a shell prints for each value, between bytes that no value has. */
function printed(shell: string[], values: string[]): string[] {
  const parameters = Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
  const prints = values.map((_, index) => `printf '%s\\0' "$v${index}"`).join('\n');
  const [program = '', ...args] = shell;
  const script = buildCommandScript(prints, { parameters, directory: '/' });
  return execFileSync(program, [...args, '-c', script], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

describe.each([[['sh']], [['bash']], [['bash', '--posix']]])('%s', (shell) => {
  it('gets values as they are', () => {
    expect(printed(shell, VALUES)).toEqual(VALUES);
  });
});

it('of a value only letters, digits and few signs are in the script, and escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = text.replaceAll('\0', '').toWellFormed();
      const script = buildCommandScript('', { parameters: { name: value }, directory: undefined });
      expect(script).toMatch(/^name=\$\(printf '(?:[A-Za-z0-9 ,./:=@_+]|\\[0-3][0-7]{2})*\.'\); name=\$\{name%\.\}\n$/);
    }),
  );
});

it('a folder is a path, not an option', () => {
  const at = (directory: string) =>
    execFileSync('sh', ['-c', buildCommandScript('pwd', { parameters: {}, directory })], {
      cwd: '/',
      encoding: 'utf8',
    }).trim();
  expect([at('/usr/bin/..'), at('usr'), at('./usr')]).toEqual(['/usr', '/usr', '/usr']);
  expect(() => at('-')).toThrow();
});

it.each([
  [{ parameters: { 'a b': '' }, directory: undefined }, 'config.parameters.a b'],
  [{ parameters: { 'a;id': '' }, directory: undefined }, 'config.parameters.a;id'],
  [{ parameters: { a: 'x\0y' }, directory: undefined }, 'config.parameters.a'],
  [{ parameters: {}, directory: 'x\0y' }, 'config.directory'],
  [{ parameters: { a: 'ü'.repeat(50_000) }, directory: undefined }, 'config.parameters'],
])('refuses what no command can have (%#)', (surroundings, field) => {
  expect(() => buildCommandScript('id', surroundings as Parameters<typeof buildCommandScript>[1])).toThrow(field);
});
