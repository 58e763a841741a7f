import { Button, VisuallyHidden } from '@mantine/core';
import { IconMessageCirclePlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ChatPageContent } from '@/contract/triggers/chat';
import { ReplyMessage, SentMessage, TurnView } from './TurnView';
import classes from './Chat.module.css';
import { ChatComposer } from './ChatComposer';
import type { ChatTurn } from './turns';
import { useConversation } from './useConversation';

interface Props {
  address: string;
  opening: ChatPageContent;
}

/** Pixels from the end of the conversation within which it is read at its end. */
const AT_END_PIXELS = 120;
/** Pixels above an item that is shown from its beginning. */
const ITEM_TOP_MARGIN = 16;

/** A conversation: the greeting, what was said, and the field for the next message. */
export function ChatView({ address, opening }: Props) {
  const { title, greeting, placeholder, examples, takesFiles } = opening;
  const { turns, isBusy, send, retry, canRetry, startAnew } = useConversation(address);
  const [round, setRound] = useState(0);
  const { list, content, goToEnd } = useScrollToEnd();
  const say = (message: string, files: readonly File[]) => {
    goToEnd();
    send(message, files);
  };
  /** Keeps the focus when a button disappears once it is pressed. */
  const focusList = () => list.current?.focus({ preventScroll: true });
  const sayExample = (example: string) => {
    say(example, []);
    focusList();
  };
  const tryAgain = (turn: ChatTurn) => {
    goToEnd();
    retry(turn);
    focusList();
  };
  const beginAnew = () => {
    startAnew();
    setRound(round + 1);
  };
  return (
    <div className={classes.room}>
      <header className={classes.header}>
        <h1 className={classes.title}>{title}</h1>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconMessageCirclePlus size={16} aria-hidden />}
          disabled={turns.length === 0}
          onClick={beginAnew}
        >
          New chat
        </Button>
      </header>
      <main className={classes.main}>
        {/* Focusable, so that the keyboard scrolls it. */}
        <div ref={list} className={classes.scroll} tabIndex={0} role="log" aria-label="Conversation">
          <div ref={content} className={classes.column}>
            {greeting !== '' && <ReplyMessage answer={{ format: 'markdown', text: greeting }} />}
            {greeting === '' && turns.length === 0 && <p className={classes.empty}>Send a message to begin.</p>}
            {turns.length === 0 && examples.length > 0 && (
              <ul className={classes.examples} aria-label="Examples">
                {[...new Set(examples)].map((example) => (
                  <li key={example}>
                    <button type="button" className={classes.example} onClick={() => sayExample(example)}>
                      {example}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {turns.map((turn) => (
              <section key={turn.id} className={classes.turn}>
                <SentMessage turn={turn} />
                <TurnView turn={turn} onRetry={canRetry(turn) && !isBusy ? () => tryAgain(turn) : undefined} />
              </section>
            ))}
          </div>
        </div>
        <VisuallyHidden aria-live="polite">{isBusy ? 'Working on an answer' : ''}</VisuallyHidden>
        <ChatComposer
          key={round}
          placeholder={placeholder || 'Write a message'}
          takesFiles={takesFiles}
          isBusy={isBusy}
          onSend={say}
        />
      </main>
    </div>
  );
}

/**
 * Keeps the end of a list in view while it grows, unless its reader has scrolled away from there. It shows the
 * beginning of a last item that does not fit.
 */
function useScrollToEnd() {
  const list = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const [outer, inner] = [list.current, content.current];
    if (!outer || !inner) return undefined;
    const note = () => {
      isAtEnd.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < AT_END_PIXELS;
    };
    const growth = new ResizeObserver(() => {
      if (!isAtEnd.current) return;
      const last = inner.lastElementChild?.getBoundingClientRect().top ?? 0;
      const beginning = last - inner.getBoundingClientRect().top - ITEM_TOP_MARGIN;
      outer.scrollTo({ top: Math.min(outer.scrollHeight - outer.clientHeight, beginning) });
    });
    growth.observe(inner);
    outer.addEventListener('scroll', note, { passive: true });
    return () => {
      growth.disconnect();
      outer.removeEventListener('scroll', note);
    };
  }, []);
  const goToEnd = () => {
    isAtEnd.current = true;
  };
  return { list, content, goToEnd };
}
