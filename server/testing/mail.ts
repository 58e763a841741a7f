import { prismaClient } from '@/server/platform/db/client';
import { executeDuePolls } from '@/server/triggers/polls/poller';
import { call, type TestUser } from './factories';
import type { MailServer } from './servers/dovecot';
import { polledWorkflow, type PolledWorkflow } from './polls';

/** A message as a workflow gets it. */
export interface ReadMessage {
  id: string;
  subject: string;
  text: string;
  attachments: { $file: string; name: string; contentType: string; size: number }[];
  [field: string]: unknown;
}

/** A workflow with a poll of a mailbox, and what a test does with them. */
export interface MailTrigger extends PolledWorkflow {
  username: string;
  pollId: string;
  deliver(subject: string, more?: string): void;
  /** Makes the poll due and executes it. */
  again(): Promise<void>;
  /** The inputs of the runs so far, by their ids. */
  messages(): Promise<ReadMessage[]>;
  subjects(): Promise<string[]>;
}

/** Stores a credential of a mailbox; returns its id. */
export async function mailCredential({ token }: TestUser, config: object): Promise<string> {
  const body = { name: 'Mailbox', type: 'imap', config };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.id;
}

/** The settings of a poll of a mailbox. */
export const mailPoll = (credentialId: string | undefined, config: object = {}) => ({
  name: 'New mail',
  intervalMs: 60_000,
  node: { type: 'read_email', config: { since: '{{ cursor }}', ...config }, credentialId },
  items: 'input.messages',
  key: 'item.id',
  cursor: 'input.cursor',
  first: 'skip',
});

export async function mailTrigger(
  server: MailServer,
  username: string,
  {
    config = {},
    credential = {},
    ...settings
  }: { config?: object; credential?: object; [setting: string]: unknown } = {},
): Promise<MailTrigger> {
  const workflow = await polledWorkflow();
  const credentialId = await mailCredential(workflow.user, server.config(username, credential));
  const { status, body } = await workflow.send('POST', '', { ...mailPoll(credentialId, config), ...settings });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const messages = async () => {
    const runs = await prismaClient().execution.findMany({
      where: { workflowId: workflow.workflowId },
      select: { input: true },
    });
    const inputs = runs.map(({ input }) => input as unknown as ReadMessage);
    return inputs.toSorted((one, other) => one.id.localeCompare(other.id));
  };
  return {
    ...workflow,
    username,
    pollId: body.id,
    deliver: (subject, more = `\n${subject} text\n`) =>
      server.deliver(
        username,
        `From: Ada <ada@example.com>\nTo: ${username}@example.com\nSubject: ${subject}\n${more}`,
      ),
    async again() {
      await workflow.makeDue();
      await executeDuePolls();
    },
    messages,
    subjects: async () => (await messages()).map(({ subject }) => subject).toSorted(),
  };
}
