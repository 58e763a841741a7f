import { Accordion, Group, Text } from '@mantine/core';
import type { OutboxMailResponse } from '@/contract/outbox';
import { formatByteSize } from '@/components/ui/values/byte-size';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import classes from './MailList.module.css';

export function MailList({ mails }: { mails: OutboxMailResponse[] }) {
  return (
    <Accordion variant="separated" keepMounted={false} className={classes.list}>
      {mails.map((mail) => (
        <Accordion.Item key={mail.id} value={mail.id} className={classes.mail}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" gap="md">
              <div style={{ minWidth: 0 }}>
                <Text fw={570} truncate>
                  {mail.subject || 'No subject'}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {mail.from} to {mail.to.join(', ')}
                </Text>
              </div>
              <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                <TimeAgo at={mail.createdAt} />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {mail.attachments.length > 0 && (
              <Text size="xs" c="dimmed" mb="xs">
                Attachments: {mail.attachments.map((one) => `${one.filename} (${formatByteSize(one.size)})`).join(', ')}
              </Text>
            )}
            {mail.html === null ? (
              <pre className={classes.text}>{mail.text}</pre>
            ) : (
              // The frame is fully sandboxed, because the HTML of a mail is untrusted.
              <iframe sandbox="" srcDoc={mail.html} title={`Email: ${mail.subject}`} className={classes.html} />
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
