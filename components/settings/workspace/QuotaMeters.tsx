import { SimpleGrid } from '@mantine/core';
import type { WorkspaceQuotas } from '@/contract/quota';
import { formatByteSize } from '@/components/ui/values/byte-size';
import { UsageMeter } from './UsageMeter';

const clockTime = (at: string) => new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });

/** Usage of each quota, and what happens at the limit. */
export function QuotaMeters({ quotas }: { quotas: WorkspaceQuotas }) {
  const { storedRuns, workflows, schedules, fileBytes, connectors, tables, tableRows, tableBytes } = quotas;
  const { rememberedKeys, mailsPerDay, invitationsPerDay } = quotas;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
      <UsageMeter label="Stored runs" {...storedRuns}>
        At the limit no run starts: API calls and webhook deliveries are refused (403), and schedules show the error. To
        free space, reduce the retention of runs or delete workflows.
      </UsageMeter>
      <UsageMeter label="Workflows" {...workflows}>
        At the limit you can’t create more. Existing ones keep working.
      </UsageMeter>
      <UsageMeter label="Schedules and polls" {...schedules}>
        At the limit you can’t create more. Existing ones keep working.
      </UsageMeter>
      <UsageMeter label="Files" {...fileBytes} write={formatByteSize}>
        At the limit uploads and deliveries with files are refused (403), and nodes that store files fail. A file is
        deleted with the last run that uses it.
      </UsageMeter>
      <UsageMeter label="Connectors from OpenAPI" {...connectors}>
        At the limit you can’t create more. Existing ones keep working.
      </UsageMeter>
      <UsageMeter label="Tables" {...tables}>
        At the limit you can’t create more. Existing ones keep working.
      </UsageMeter>
      <UsageMeter label="Rows in tables" {...tableRows}>
        At the limit new rows are refused (403), and nodes that insert rows fail. To free space, delete rows.
      </UsageMeter>
      <UsageMeter label="Table storage" {...tableBytes} write={formatByteSize}>
        The values of all rows. At the limit new rows are refused (403), and nodes that insert rows fail.
      </UsageMeter>
      <UsageMeter label="Remembered keys and items" {...rememberedKeys}>
        At the limit remember nodes that would add a key or an item fail. Expired ones are removed soon after.
      </UsageMeter>
      <UsageMeter label="Emails today" {...mailsPerDay}>
        Each recipient counts. At the limit emails fail until {clockTime(mailsPerDay.resetAt)}. Emails through your own
        mail server are not counted.
      </UsageMeter>
      <UsageMeter label="Invitations today" {...invitationsPerDay}>
        At the limit you can’t invite users until {clockTime(invitationsPerDay.resetAt)}.
      </UsageMeter>
    </SimpleGrid>
  );
}
