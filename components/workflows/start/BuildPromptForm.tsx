import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_INSTRUCTION_LENGTH } from '@/contract/workflows/proposal-event';
import { EXAMPLE_INSTRUCTIONS, handOverBuildPrompt } from '@/components/client/build-prompt';
import { useWorkspaceLanguage } from '@/components/client/queries/useWorkspaceLanguage';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { CreateCredential } from '@/components/credentials/CreateCredential';
import { ExampleButtons } from '@/components/ui/ExampleButtons';
import { emptyWorkflowBody, useCreateWorkflow } from '../useCreateWorkflow';

const MAX_NAME_LENGTH = 60;

/** A name for a workflow that is described, until its author gives it another one. */
function nameFromPrompt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH - 2).replace(/\s\S*$/, '')} …` : line;
}

const isModelCredential = (type: string) => type === 'llm';

/** Takes the description of a workflow. The editor opens and builds it; without a model it says what to connect. */
export function BuildPromptForm() {
  const trpc = useTRPC();
  const can = usePermissions();
  const [text, setText] = useState('');
  const [isConnecting, setConnecting] = useState(false);
  const models = useQuery(trpc.credentials.list.queryOptions({ query: { type: 'llm', limit: 1 } }));
  const create = useCreateWorkflow();
  const language = useWorkspaceLanguage();
  const hasModel = models.data ? models.data.data.length > 0 : undefined;
  const mayConnect = can('credential:create') !== 'none';
  const mayCreate = can('workflow:create') !== 'none';
  const send = async () => {
    const prompt = text.trim();
    if (prompt === '' || !hasModel) return;
    const { id } = await create.mutateAsync({ body: emptyWorkflowBody(language, nameFromPrompt(prompt)) });
    handOverBuildPrompt({ workflowId: id, text: prompt });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The hook has shown why it was refused.
        void send().catch(() => undefined);
      }}
    >
      <Stack gap="sm">
        <Textarea
          aria-label="Describe what should happen"
          placeholder="Describe what should happen. For example: every Monday, mail me the open orders of our shop."
          autosize
          minRows={3}
          maxRows={10}
          size="md"
          maxLength={MAX_INSTRUCTION_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void send().catch(() => undefined);
          }}
        />
        {text === '' && <ExampleButtons examples={EXAMPLE_INSTRUCTIONS} justify="center" onPick={setText} />}
        {hasModel === false && (
          <Alert color="weld" role="note">
            <Group justify="space-between" gap="xs">
              <Text size="sm" flex="1 1 280px">
                To build from words, connect a language model: OpenAI, Anthropic, Google, Ollama, or any server with the
                API of OpenAI.
                {!mayConnect && ' Ask an admin of the workspace for a credential of the type “Language model”.'}
              </Text>
              {mayConnect && (
                <Button size="xs" variant="default" onClick={() => setConnecting(true)}>
                  Connect a model
                </Button>
              )}
            </Group>
          </Alert>
        )}
        <Group justify="center">
          <Button
            type="submit"
            size="md"
            loading={create.isPending}
            disabled={text.trim() === '' || !hasModel || !mayCreate}
            leftSection={<IconSparkles size={18} aria-hidden />}
          >
            Build it
          </Button>
        </Group>
      </Stack>
      <CreateCredential
        isOpen={isConnecting}
        fits={isModelCredential}
        onCreated={() => setConnecting(false)}
        onClose={() => setConnecting(false)}
      />
    </form>
  );
}
