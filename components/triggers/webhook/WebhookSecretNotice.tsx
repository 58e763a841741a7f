import { Alert, Button, Stack, Text } from '@mantine/core';
import type { WebhookTrigger } from '@/contract/triggers/webhook';
import { signedCurlCommand } from './signed-curl';
import { hasDocumentedSignature } from './webhook-draft';
import { CopyableText } from '@/components/ui/values/CopyableText';

interface Props {
  webhook: WebhookTrigger;
  secret: string;
  onClose(): void;
}

/** The new secret of a webhook, shown only once, with an example request. */
export function WebhookSecretNotice({ webhook, secret, onClose }: Props) {
  return (
    <Alert color="weld" title="Copy the secret now. It is shown only once.">
      <Stack gap="xs">
        <CopyableText label="Secret" text={secret} />
        {hasDocumentedSignature(webhook) && (
          <>
            <Text size="xs">Signed request for a shell:</Text>
            <CopyableText label="cURL" text={signedCurlCommand(webhook.url, secret)} />
          </>
        )}
        <Button variant="default" size="compact-sm" w="fit-content" onClick={onClose}>
          I have copied it
        </Button>
      </Stack>
    </Alert>
  );
}
