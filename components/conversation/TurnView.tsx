import { Button, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconClockPause, IconMessageChatbot, IconPaperclip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ChatReply } from '@/contract/triggers/chat-limits';
import { CopyIconButton } from '@/components/ui/values/CopyIconButton';
import { UntrustedMarkdown } from '@/components/ui/values/UntrustedMarkdown';
import classes from './Chat.module.css';
import type { ChatTurn } from './turns';

/** A message that the reader wrote, with its files. */
export function SentMessage({ turn: { message, files } }: { turn: ChatTurn }) {
  return (
    <div className={classes.bubble}>
      <VisuallyHidden>You: </VisuallyHidden>
      {message}
      {files.length > 0 && (
        <ul className={classes.sentFiles} aria-label="Files">
          {files.map((name, index) => (
            // Two files may have the same name.
            <li key={`${index} ${name}`}>
              <IconPaperclip size={14} aria-hidden />
              {name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** An answer, beside a picture of who gives it. */
function ReplyFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.answer}>
      <span className={classes.avatar} aria-hidden>
        <IconMessageChatbot size={18} />
      </span>
      <div className={classes.said}>{children}</div>
    </div>
  );
}

export function ReplyMessage({ answer: { format, text } }: { answer: ChatReply }) {
  return (
    <ReplyFrame>
      <VisuallyHidden>Answer: </VisuallyHidden>
      {text.trim() === '' && <p className={classes.muted}>The workflow gave no answer.</p>}
      {format === 'json' ? (
        <pre className={classes.json} tabIndex={0} aria-label="Answer as JSON">
          <code>{text}</code>
        </pre>
      ) : (
        <UntrustedMarkdown text={text} />
      )}
    </ReplyFrame>
  );
}

interface Props {
  turn: ChatTurn;
  /** Sends the message again. Undefined if that is not possible. */
  onRetry: (() => void) | undefined;
}

/** Shows the reply to a message, its progress, or its error. */
export function TurnView({ turn: { state, answer, draft, error = '' }, onRetry }: Props) {
  if (answer) {
    return (
      <div className={classes.withTools}>
        <ReplyMessage answer={answer} />
        {answer.text !== '' && (
          <div className={classes.tools}>
            <CopyIconButton isSmall label="Copy the answer" value={answer.text} />
          </div>
        )}
      </div>
    );
  }
  if (state === 'failed' || state === 'cut') {
    return (
      <div className={classes.failure} role="alert">
        <IconAlertTriangle size={18} aria-hidden />
        <p>{error}</p>
        {onRetry && (
          <Button variant="default" size="compact-sm" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  if (state === 'waiting') {
    return (
      <div className={classes.waiting}>
        <IconClockPause size={18} aria-hidden />
        <p>The answer waits for another step, such as an approval. It appears here when it is ready.</p>
      </div>
    );
  }
  return (
    <ReplyFrame>
      {draft && (
        // The draft is not announced, because the whole answer is announced once it has arrived.
        <div className={classes.draft} inert>
          <UntrustedMarkdown text={draft} />
        </div>
      )}
      <span className={classes.dots} aria-hidden>
        <span />
        <span />
        <span />
      </span>
    </ReplyFrame>
  );
}
