import type { PollDeliveryMode, FirstPollMode } from '@/contract/triggers/poll';

type LabelledOptions<Value> = { value: Value; label: string }[];

/** The texts of the dialog of a poll. */
export interface PollDialogTexts {
  /** The title of the dialog, which stands in front of the name of the poll. */
  title: string;
  newTitle: string;
  times: string;
  delivery: string;
  deliveries: LabelledOptions<PollDeliveryMode>;
  first: string;
  firsts: LabelledOptions<FirstPollMode>;
  create: string;
  save: string;
  test: string;
}

export const POLL_DIALOG_TEXTS: PollDialogTexts = {
  title: 'Poll',
  newTitle: 'New poll',
  times: 'Poll the source',
  delivery: 'New items start',
  deliveries: [
    { value: 'each', label: 'One run for each new item' },
    { value: 'batch', label: 'One run for all new items' },
  ],
  first: 'Items of the first poll',
  firsts: [
    { value: 'skip', label: 'Are stored as known only' },
    { value: 'deliver', label: 'Start runs' },
  ],
  create: 'Add poll',
  save: 'Save poll',
  test: 'Reads the source with the saved settings. Starts no runs.',
};

export const MAIL_DIALOG_TEXTS: PollDialogTexts = {
  title: 'Email trigger',
  newTitle: 'New email trigger',
  times: 'Check for new messages',
  delivery: 'New messages start',
  deliveries: [
    { value: 'each', label: 'One run for each message' },
    { value: 'batch', label: 'One run for all new messages' },
  ],
  first: 'Messages that are already in the mailbox',
  firsts: [
    { value: 'skip', label: 'Start no runs' },
    { value: 'deliver', label: 'Start runs, if they are among the newest' },
  ],
  create: 'Add email trigger',
  save: 'Save email trigger',
  test: 'Reads the mailbox with the saved settings. Starts no runs.',
};
