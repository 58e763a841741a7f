'use client';

import { Button, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ChatPageContent } from '@/contract/triggers/chat';
import { useIsHydrated } from '@/components/ui/useIsHydrated';
import classes from './Chat.module.css';
import { ChatView } from './ChatView';
import { isPermanentRefusal, fetchChatOpening, chatErrorSentence } from './service';

/** The page of a chat. `address`: `<workflowId>/<path>`. */
export function ChatRoom({ address }: { address: string }) {
  const isMounted = useIsHydrated();
  const [round, setRound] = useState(0);
  if (!isMounted) return <ChatLoading />;
  return <ChatLoader key={`${round} ${address}`} address={address} onRetry={() => setRound(round + 1)} />;
}

const ChatLoading = () => (
  <main className={classes.notice}>
    <Loader aria-label="Loading" />
  </main>
);

function ChatLoader({ address, onRetry }: { address: string; onRetry(): void }) {
  const [opening, setOpening] = useState<ChatPageContent>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isLeft = false;
    fetchChatOpening(address).then(
      (found) => {
        if (isLeft) return;
        document.title = found.title;
        setOpening(found);
      },
      (reason: unknown) => !isLeft && setError(reason),
    );
    return () => {
      isLeft = true;
    };
  }, [address]);
  if (opening) return <ChatView address={address} opening={opening} />;
  return error ? <ChatUnavailable error={error} onRetry={onRetry} /> : <ChatLoading />;
}

const CHAT_ERROR_TITLES: Record<number, string> = {
  401: 'Sign in to open this chat',
  403: 'You cannot open this chat',
  404: 'There is no chat here',
  409: 'This chat is closed',
};

const CHAT_ERROR_TEXTS: Record<number, string> = {
  404: 'The address is wrong, or the chat was deleted.',
  409: 'It does not take messages at the moment. Try again later.',
};

function ChatUnavailable({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const status = isPermanentRefusal(error) ? error.status : 0;
  const here = `${location.pathname}${location.search}`;
  return (
    <main className={classes.notice}>
      <h1>{CHAT_ERROR_TITLES[status] ?? 'The chat can’t be shown'}</h1>
      <p role="status">{CHAT_ERROR_TEXTS[status] ?? chatErrorSentence(error)}</p>
      {status === 401 && (
        <Button component="a" href={`/login?returnTo=${encodeURIComponent(here)}`}>
          Sign in
        </Button>
      )}
      {[0, 409].includes(status) && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </main>
  );
}
