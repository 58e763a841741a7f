import { Anchor, Checkbox, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportFinding } from '@/contract/workflows/n8n-import';
import { AppLink } from '@/components/ui/AppLink';
import { countFindingsInWords, ImportFindings } from './ImportFindings';
import { listPlans, worstLight } from '@/import/n8n/plan-parts';
import type { ListedN8nWorkflow } from './n8n-source';
import { TrafficLightBadge } from './TrafficLightBadge';
import type { N8nImportOutcome } from './useN8nImport';

interface Props {
  workflow: ListedN8nWorkflow;
  outcome: N8nImportOutcome | undefined;
  isChosen: boolean;
  isBusy: boolean;
  onToggle(): void;
}

/** A workflow of n8n: whether it is carried over whole, what is to do, and what became of it. */
export function N8nWorkflowRow({
  workflow: { name, plan, reason, importedId },
  outcome,
  isChosen,
  isBusy,
  onToggle,
}: Props) {
  const facts =
    plan &&
    [
      plan.folder,
      ...plan.tags,
      plan.record.wasActive ? 'active in n8n' : null,
      plan.further.length > 0 ? `becomes ${plan.further.length + 1} workflows` : null,
    ].filter(Boolean);
  const light = plan && worstLight(plan);
  const findings = plan ? listPlans(plan).flatMap(({ record }) => record.report) : [];
  const isOver = outcome?.state === 'created';
  const proof = isOver ? outcome.proof : undefined;
  // A run that differs has to be looked at, whatever the conversion says.
  const isDifferent = proof !== undefined && proof.equal < proof.runs;
  return (
    <Group
      component="li"
      align="flex-start"
      wrap="nowrap"
      gap="sm"
      py="sm"
      style={{ borderTop: '1px solid var(--weft-line)' }}
    >
      <Checkbox
        mt={3}
        aria-label={`Import ${name}`}
        checked={isChosen}
        disabled={!plan || isBusy || isOver}
        onChange={onToggle}
      />
      <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {light && <TrafficLightBadge light={isDifferent && light === 'green' ? 'yellow' : light} />}
          {facts && facts.length > 0 && (
            <Text size="xs" c="dimmed">
              {facts.join(' · ')}
            </Text>
          )}
        </Group>
        {!plan && <Text size="sm">{reason}</Text>}
        {outcome ? <OutcomeLine outcome={outcome} /> : importedId !== undefined && <EarlierLine id={importedId} />}
        {findings.length > 0 && <RowFindings findings={findings} />}
      </Stack>
    </Group>
  );
}

function RowFindings({ findings }: { findings: readonly ImportFinding[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Anchor
        component="button"
        size="sm"
        ta="left"
        aria-expanded={isOpen}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpen(!isOpen)}
      >
        {countFindingsInWords(findings) || 'Worth knowing'}
      </Anchor>
      {isOpen && <ImportFindings findings={findings} />}
    </>
  );
}

/** What an earlier import made of the workflow. */
function EarlierLine({ id }: { id: string }) {
  return (
    <Text size="sm">
      Imported before.{' '}
      <Anchor component={AppLink} href={`/workflows/${id}`} size="sm">
        Open the workflow
      </Anchor>
    </Text>
  );
}

function OutcomeLine({ outcome }: { outcome: N8nImportOutcome }) {
  if (outcome.state === 'running')
    return (
      <Group gap={6}>
        <Loader size={14} aria-hidden />
        <Text size="sm">Importing</Text>
      </Group>
    );
  if (outcome.state === 'refused')
    return (
      <Text size="sm" c="var(--weft-failed)">
        It was not imported. {outcome.reason}
      </Text>
    );
  const { id, proof, problems } = outcome;
  return (
    <>
      <Text size="sm">
        Imported. {proof ? `${proof.equal} of ${proof.runs} runs gave the same.` : 'No run of n8n could be repeated.'}{' '}
        <Anchor component={AppLink} href={`/workflows/${id}`} size="sm">
          Open the workflow
        </Anchor>
      </Text>
      {problems.length > 0 && (
        <Text size="sm" c="var(--weft-failed)">
          Not stored: {problems.join(', ')}.
        </Text>
      )}
    </>
  );
}
