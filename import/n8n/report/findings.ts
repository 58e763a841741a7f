import type { ImportFinding } from '@/contract/workflows/n8n-import';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed } from '../file';
import { listLostFields } from './lost-expressions';
import { leaveOutKnowledge, type ImportReportEntry } from './report-entry';

/** Sentences of the conversion that ask for a credential. A full stop inside of an address ends none. */
const CREDENTIAL_SENTENCE_PATTERN =
  /(?:Choose (?:its|an?)(?: mail)? (?:credential|account)\b|Enter its secret:)(?:[^.]|\.(?=\S))*\./g;
const REWRITE_SENTENCE_PATTERN = /Rewrite the expression “[^”]*”: [^.]*\./g;

/**
 * What a person has to do with an imported workflow: accounts to connect, fields to fill that are empty in n8n, too,
 * fields to check, nodes to replace; then what is worth knowing. Nothing is called equal: only a run shows that.
 */
export function listImportFindings(
  file: unknown,
  { report, definition }: { report: readonly ImportReportEntry[]; definition: WorkflowDefinition },
): ImportFinding[] {
  const accounts = listAccounts(file);
  const lost = listLostFields(definition);
  const lostNodes = new Set(lost.map(({ node }) => node));
  const fields = lost.map(({ node, mark: { field, source, reason } }) =>
    finding('check', node, `Rewrite “${cutWellFormed(source.split('\n')[0] ?? '', 80)}”: ${reason}.`, field),
  );
  return [
    ...accounts.findings,
    ...fields,
    ...report.flatMap((entry) => entryFindings(entry, accounts.nodes.has(entry.node), lostNodes.has(entry.node))),
  ].toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

const KINDS: readonly ImportFinding['kind'][] = ['account', 'choose', 'check', 'replace', 'know'];

const finding = (
  kind: ImportFinding['kind'],
  node: string,
  message: string,
  field: string | null = null,
): ImportFinding => ({ kind, node: cutWellFormed(node, 500), field, message: cutWellFormed(message, 5000) });

function entryFindings(
  { node, outcome, message, knowledge, choices = [] }: ImportReportEntry,
  hasAccount: boolean,
  hasLostFields: boolean,
): ImportFinding[] {
  if (outcome === 'placeholder') return [finding('replace', node, message)];
  if (outcome === 'left out')
    return [finding(message.startsWith('It is a part of') ? 'know' : 'replace', node, message)];
  if (outcome === 'converted') return message === '' ? [] : [finding('know', node, message)];
  const [credential] = message.match(CREDENTIAL_SENTENCE_PATTERN) ?? [];
  const rest = leaveOutKnowledge({ message, knowledge, choices })
    .replaceAll(CREDENTIAL_SENTENCE_PATTERN, '')
    .replaceAll(hasLostFields ? REWRITE_SENTENCE_PATTERN : /$^/g, '')
    .trim();
  return [
    ...(credential && !hasAccount ? [finding('account', node, credential)] : []),
    ...choices.map(({ field, sentence }) => finding('choose', node, sentence, field)),
    ...(rest === '' ? [] : [finding('check', node, rest)]),
    ...knowledge.map((sentence) => finding('know', node, sentence)),
  ];
}

/** What a message asks for besides an account and lost expressions, which are asked for by themselves. */
export const leaveOutAccountTasks = (message: string): string =>
  message
    .replaceAll(CREDENTIAL_SENTENCE_PATTERN, '')
    .replaceAll(REWRITE_SENTENCE_PATTERN, '')
    .replaceAll('Choose its workflow.', '')
    .trim();

/** The credentials that a file names, each once. */
function listAccounts(file: unknown): { findings: ImportFinding[]; nodes: Set<string> } {
  const users = new Map<string, { name: string; type: string; nodes: string[] }>();
  const nodes = new Set<string>();
  for (const { name: node, credentials, disabled } of asN8nObjects(asN8nObject(file)['nodes'])) {
    if (typeof node !== 'string' || disabled === true) continue;
    for (const [type, given] of Object.entries(asN8nObject(credentials))) {
      const called = typeof given === 'string' ? given : asN8nObject(given)['name'];
      const name = typeof called === 'string' ? called : '';
      const account = users.get(`${type} ${name}`) ?? { name, type, nodes: [] };
      account.nodes.push(node);
      users.set(`${type} ${name}`, account);
      nodes.add(node);
    }
  }
  const findings = [...users.values()].map(({ name, type, nodes: [first = '', ...others] }) => {
    const called = name === '' ? '' : ` “${cutWellFormed(name, 100)}”`;
    const more = others.length > 0 ? ` ${others.length} more ${others.length > 1 ? 'nodes use' : 'node uses'} it.` : '';
    return finding('account', first, `Connect the account${called} (${cutWellFormed(type, 100)} in n8n).${more}`);
  });
  return { findings, nodes };
}

/** Green: nothing but accounts to connect, and fields that are empty in n8n, too. Yellow: something to check. Red: nodes to replace. */
export type TrafficLight = 'green' | 'yellow' | 'red';

export const importTrafficLight = (findings: readonly ImportFinding[]): TrafficLight =>
  findings.some(({ kind }) => kind === 'replace')
    ? 'red'
    : findings.some(({ kind }) => kind === 'check')
      ? 'yellow'
      : 'green';
