import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { PollTrigger } from '@/contract/triggers/poll';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import type { TriggeredWorkflow } from '../kinds/kind';
import { isMailNode } from './mail-node';
import { pollRequestBody, toPollDraft, EMPTY_POLL_DRAFT, isPollDialogField, type PollDraft } from './poll-draft';
import { PollItemFields } from './PollItemFields';
import { PollSourceFields } from './PollSourceFields';
import { PollState } from './PollState';
import { PollTestResult } from './PollTestResult';
import { PollTimeFields } from './PollTimeFields';
import { MAIL_DIALOG_TEXTS, POLL_DIALOG_TEXTS } from './poll-words';

interface Props {
  workflow: TriggeredWorkflow;
  /** Absent: a new poll. */
  poll?: PollTrigger;
  /** What a new poll begins with. */
  preset?: Partial<PollDraft>;
  /** The poll was created, changed or deleted. */
  onChange(): void;
  onClose(): void;
}

/** Creates or changes a poll. */
export function PollDialog({ workflow, poll, preset, onChange, onClose }: Props) {
  const trpc = useTRPC();
  const isNarrow = useMediaQuery('(max-width: 40em)') ?? false;
  const startNodeId = useInitialStart();
  const [draft, setDraft] = useState<PollDraft>(() =>
    poll ? toPollDraft(poll) : { ...EMPTY_POLL_DRAFT, startNodeId, ...preset },
  );
  // Only the initial type decides, so that a type chosen here can be changed again.
  const [isMail] = useState(() => isMailNode(draft));
  const words = isMail ? MAIL_DIALOG_TEXTS : POLL_DIALOG_TEXTS;
  const onSuccess = () => {
    onChange();
    onClose();
  };
  const create = useMutation(trpc.polls.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.polls.update.mutationOptions({ onSuccess }));
  const { at: errors, elsewhere } = splitFieldErrors(create.error ?? update.error, isPollDialogField);
  // A picked value and what it is called arrive one after the other.
  const set = (part: Partial<PollDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { id } = workflow;
  const stored = useQuery(trpc.workflows.get.queryOptions({ params: { id } }));
  const workflowZone = stored.data?.settings.timeZone ?? 'UTC';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = pollRequestBody(draft, poll?.node.timeoutMs);
    const cursor = draft.cursor.trim();
    if (poll) update.mutate({ params: { id, pollId: poll.id }, body: { ...body, cursor: cursor || null } });
    else create.mutate({ params: { id }, body: { ...body, cursor: cursor || undefined } });
  };
  const title = poll ? `${words.title} ${poll.name}` : words.newTitle;
  return (
    <Modal opened onClose={onClose} size="xl" fullScreen={isNarrow} title={title} closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate aria-label={title}>
        <Stack gap="md">
          {poll && <PollState poll={poll} status={workflow.status} onChange={onChange} onDeleted={onSuccess} />}
          <TextInput
            label="Name"
            withAsterisk
            data-autofocus
            maxLength={200}
            value={draft.name}
            error={errors.get('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <StartNodeField
            value={draft.startNodeId}
            error={errors.get('startNodeId')}
            onChange={(picked) => set({ startNodeId: picked })}
          />
          {isMail && <PollSourceFields isFixed draft={draft} errors={errors} set={set} words={words} />}
          <PollTimeFields draft={draft} errors={errors} set={set} words={words} workflowZone={workflowZone} />
          {!isMail && <PollSourceFields draft={draft} errors={errors} set={set} words={words} />}
          <PollItemFields draft={draft} errors={errors} set={set} words={words} />
          {elsewhere && <FormErrorAlert>{elsewhere}</FormErrorAlert>}
          {poll && <PollTestResult poll={poll} note={words.test} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || update.isPending}>
              {poll ? words.save : words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
