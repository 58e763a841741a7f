import { Alert, Button, Stack, Text } from '@mantine/core';
import type { WebhookWithSecret } from '@/contract/webhook';
import { signedCurl } from './signed-curl';
import { TextView } from '../ui/TextView';

/** The secret of a webhook while it can be seen, and how to call with it. */
export function SecretOnce({ webhook, onClose }: { webhook: WebhookWithSecret; onClose(): void }) {
  return (
    <Alert color="weld" title="Copy the secret now; it is shown only once">
      <Stack gap="xs">
        <TextView label="Secret" text={webhook.secret} />
        <Text size="xs">A signed call, to try in a shell:</Text>
        <TextView label="cURL" text={signedCurl(webhook.url, webhook.secret)} />
        <Button variant="default" size="compact-sm" w="fit-content" onClick={onClose}>
          I have copied it
        </Button>
      </Stack>
    </Alert>
  );
}
