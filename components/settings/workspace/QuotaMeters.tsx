import { SimpleGrid } from '@mantine/core';
import type { Quotas } from '@/contract/quota';
import { size } from '@/components/ui/values/size';
import { Meter } from './Meter';

const clock = (at: string) => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

/** Usage of each quota, and what happens at the limit. */
export function QuotaMeters({ quotas }: { quotas: Quotas }) {
  const { storedRuns, workflows, schedules, fileBytes, connectors, tables, tableRows, tableBytes } = quotas;
  const { rememberedKeys, mailsPerDay, invitationsPerDay } = quotas;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
      <Meter label="Stored runs" {...storedRuns}>
        At the limit no run starts: API calls and webhook deliveries are refused (403), and schedules show the error. To
        free space, reduce the retention of runs or delete workflows.
      </Meter>
      <Meter label="Workflows" {...workflows}>
        At the limit you can’t create more. Existing ones keep working.
      </Meter>
      <Meter label="Schedules and polls" {...schedules}>
        At the limit you can’t create more. Existing ones keep working.
      </Meter>
      <Meter label="Files" {...fileBytes} write={size}>
        At the limit uploads and deliveries with files are refused (403), and nodes that store files fail. A file is
        deleted with the last run that uses it.
      </Meter>
      <Meter label="Connectors from OpenAPI" {...connectors}>
        At the limit you can’t create more. Existing ones keep working.
      </Meter>
      <Meter label="Tables" {...tables}>
        At the limit you can’t create more. Existing ones keep working.
      </Meter>
      <Meter label="Rows in tables" {...tableRows}>
        At the limit new rows are refused (403), and nodes that insert rows fail. To free space, delete rows.
      </Meter>
      <Meter label="Table storage" {...tableBytes} write={size}>
        The values of all rows. At the limit new rows are refused (403), and nodes that insert rows fail.
      </Meter>
      <Meter label="Remembered keys and items" {...rememberedKeys}>
        At the limit remember nodes that would add a key or an item fail. Expired ones are removed soon after.
      </Meter>
      <Meter label="Emails today" {...mailsPerDay}>
        Each recipient counts. At the limit emails fail until {clock(mailsPerDay.resetAt)}. Emails through your own mail
        server are not counted.
      </Meter>
      <Meter label="Invitations today" {...invitationsPerDay}>
        At the limit you can’t invite users until {clock(invitationsPerDay.resetAt)}.
      </Meter>
    </SimpleGrid>
  );
}
