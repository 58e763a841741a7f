import { Anchor, List, Text } from '@mantine/core';
import type { ImportFinding } from '@/contract/workflows/n8n-import';

const FINDING_GROUPS: readonly { kind: ImportFinding['kind']; title: string }[] = [
  { kind: 'account', title: 'Accounts to connect' },
  { kind: 'choose', title: 'Fields to fill: empty in n8n, too, or with a workflow that is not imported' },
  { kind: 'check', title: 'Things to check' },
  { kind: 'replace', title: 'Nodes to replace' },
  { kind: 'know', title: 'Worth knowing' },
];

interface Props {
  findings: readonly ImportFinding[];
  /** What shows the node of a finding, at its field; undefined: the node is gone. Absent: there is no editor. */
  linkTo?(finding: ImportFinding): (() => void) | undefined;
}

/** What a person has to do with an imported workflow, by what it is. */
export function ImportFindings({ findings, linkTo }: Props) {
  const groups = FINDING_GROUPS.map((group) => ({ ...group, own: findings.filter(({ kind }) => kind === group.kind) }));
  return (
    <>
      {groups.every(({ kind, own }) => kind === 'know' || own.length === 0) && (
        <Text size="sm">Nothing is to do. Whether it gives the same results is shown only by runs: see Tests.</Text>
      )}
      {groups
        .filter(({ own }) => own.length > 0)
        .map(({ kind, title, own }) => (
          <div key={kind} role="group" aria-label={title}>
            <Text fw={600} size="sm" mt="xs" mb={4}>
              {title} ({own.length})
            </Text>
            <List listStyleType="none" spacing={6} size="sm" withPadding={false}>
              {own.map((finding, index) => (
                <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
                  <FindingNode name={finding.node} onShow={linkTo?.(finding)} />
                  {finding.field !== null && kind !== 'choose' && !linkTo && (
                    <Text span size="xs" c="dimmed">
                      {' '}
                      {finding.field}
                    </Text>
                  )}
                  <br />
                  {finding.message}
                </List.Item>
              ))}
            </List>
          </div>
        ))}
    </>
  );
}

const FindingNode = ({ name, onShow }: { name: string; onShow: (() => void) | undefined }) =>
  onShow ? (
    <Anchor component="button" fw={600} size="sm" ta="left" onClick={onShow}>
      {name}
    </Anchor>
  ) : (
    <Text span fw={600} size="sm">
      {name}
    </Text>
  );

/** How many accounts, checks and replacements there are, in words. */
export function countFindingsInWords(findings: readonly ImportFinding[]): string {
  const count = (kind: ImportFinding['kind']) => findings.filter((one) => one.kind === kind).length;
  const [accounts, choices, checks] = [count('account'), count('choose'), count('check')];
  const replacements = count('replace');
  return [
    ...(accounts > 0 ? [`${accounts} ${accounts > 1 ? 'accounts' : 'account'} to connect`] : []),
    ...(choices > 0 ? [`${choices} ${choices > 1 ? 'fields' : 'field'} to fill`] : []),
    ...(checks > 0 ? [`${checks} to check`] : []),
    ...(replacements > 0 ? [`${replacements} to replace`] : []),
  ].join(', ');
}
