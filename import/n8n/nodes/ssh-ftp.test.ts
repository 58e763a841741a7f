import { describe, expect, it } from 'vitest';
import { findNodeType } from '@/server/workflow/nodes';
import { readinessIssues } from '@/server/workflow/definition/readiness';
import { importN8n } from '../convert';

/** The import of one node behind a trigger. */
function imported(type: string, parameters: object) {
  const node = (name: string, kind: string, given: object) => ({
    name,
    type: `n8n-nodes-base.${kind}`,
    parameters: given,
    typeVersion: 1,
    position: [0, 0],
  });
  const nodes = [
    node('Go', 'manualTrigger', {}),
    node('It', type, parameters),
    node('Then', 'set', { assignments: { assignments: [{ name: 'a', value: '={{ $json.a }}' }] } }),
  ];
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections: { Go: to('It'), It: to('Then') } });
  const { outcome, message } = report.find((entry) => entry.node === 'It') ?? { outcome: '', message: '' };
  const made = definition.nodes.find(({ id }) => id === 'it_call') ?? definition.nodes.find(({ id }) => id === 'it');
  const given = definition.nodes.find(({ id }) => id === 'it')?.config['expression'];
  const gaps = readinessIssues(definition).filter(({ field }) => !field.endsWith('credentialId'));
  return { type: made?.type, config: made?.config, outcome, message, given, gaps };
}

/** Why a config can not be saved. */
function issuesOf(type = '', config: Record<string, unknown> = {}) {
  const kind = findNodeType(type);
  return [...(kind?.config.safeParse(config).error?.issues ?? []), ...(kind?.issues?.(config) ?? [])];
}

describe('a command of n8n', () => {
  it.each([
    ['uptime', 'uptime', undefined],
    ['=ls {{ $json.folder }}', 'ls "${p1}"', { p1: '{{ $json.folder }}' }],
    ['=echo "Hello {{ $json.name }}!"', 'echo "Hello ${p1}!"', { p1: '{{ $json.name }}' }],
    [`=echo 'a {{ $json.name }}' "b"`, `echo 'a '"\${p1}"'' "b"`, { p1: '{{ $json.name }}' }],
    [
      `=echo \\"{{ $json.a }} "it's {{ $json.b }}"`,
      `echo \\""\${p1}" "it's \${p2}"`,
      { p1: '{{ $json.a }}', p2: '{{ $json.b }}' },
    ],
  ])('%s has variables in place of expressions', (command, expected, parameters) => {
    const { type, config, gaps } = imported('ssh', { command, cwd: '/var/www' });
    expect([type, config, gaps]).toEqual([
      'ssh',
      { command: expected, ...(parameters ? { parameters } : {}), directory: '/var/www', failOnError: false },
      [],
    ]);
    expect(issuesOf(type, config)).toEqual([]);
  });

  it('that can not be written is left to people', () => {
    const { config, message } = imported('ssh', { command: '=id {{ $json.a' });
    expect(config).toEqual({ failOnError: false });
    expect(message).toContain('Write its command.');
  });
});

it.each([
  ['ssh', { resource: 'file', operation: 'download', path: '~/a.txt' }, { operation: 'download', path: 'a.txt' }],
  [
    'ssh',
    { resource: 'file', operation: 'upload', path: '/in/', options: { fileName: 'b.txt' } },
    { operation: 'upload', path: '/in/b.txt', content: '{{ input.$files?.["data"] }}' },
  ],
  ['ftp', { operation: 'download', path: '/{{ a' }, { operation: 'download', path: '/{{ "{{" }} a' }],
  ['ftp', { protocol: 'sftp', operation: 'list', path: '/in', recursive: true }, { operation: 'list', path: '/in' }],
  [
    'ftp',
    { operation: 'upload', path: '=/in/{{ $json.name }}', binaryData: false, fileContent: '={{ $json.text }}' },
    { operation: 'upload', path: '/in/{{ $json.name }}', content: '{{ $json.text }}', makeFolders: true },
  ],
  ['ftp', { operation: 'delete', path: '/a', options: { recursive: true } }, { operation: 'delete', path: '/a' }],
  [
    'ftp',
    { operation: 'rename', oldPath: '/a', newPath: '/b/c', options: { createDirectories: true } },
    { operation: 'move', path: '/a', to: '/b/c', makeFolders: true },
  ],
])('%s with %j becomes a transfer', (type, parameters, config) => {
  const made = imported(type, parameters);
  expect([made.type, made.config, made.gaps, issuesOf(made.type, made.config)]).toEqual([
    'file_transfer',
    config,
    [],
    [],
  ]);
  expect(made.outcome).toBe('partly');
});

it('what the new ones give becomes items', () => {
  expect(imported('ftp', { operation: 'download', path: '/a' }).given).toContain('path: "file"');
  expect(imported('ssh', { command: 'id' }).given).toContain('path: ""');
  expect(imported('ftp', { protocol: 'sftp', operation: 'list', path: '/' }).message).toContain('for SSH');
  expect(imported('ftp', { operation: 'chmod', path: '/' }).outcome).toBe('placeholder');
});
