import { Alert, Button, Stack, Text } from '@mantine/core';
import type { Webhook } from '@/contract/triggers/webhook';
import { signedCurl } from './signed-curl';
import { isDocumented } from './webhook-draft';
import { TextView } from '@/components/ui/values/TextView';

interface Props {
  webhook: Webhook;
  secret: string;
  onClose(): void;
}

/** The new secret of a webhook, shown only once, with an example request. */
export function SecretOnce({ webhook, secret, onClose }: Props) {
  return (
    <Alert color="weld" title="Copy the secret now. It is shown only once.">
      <Stack gap="xs">
        <TextView label="Secret" text={secret} />
        {isDocumented(webhook) && (
          <>
            <Text size="xs">Signed request for a shell:</Text>
            <TextView label="cURL" text={signedCurl(webhook.url, secret)} />
          </>
        )}
        <Button variant="default" size="compact-sm" w="fit-content" onClick={onClose}>
          I have copied it
        </Button>
      </Stack>
    </Alert>
  );
}
