import { ActionIcon, FileButton, Text, Textarea, Tooltip } from '@mantine/core';
import { IconArrowUp, IconPaperclip, IconX } from '@tabler/icons-react';
import { useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import {
  MAX_CHAT_FILE_BYTES,
  MAX_CHAT_FILES,
  MAX_CHAT_UPLOAD_BYTES,
  MAX_CHAT_MESSAGE_LENGTH,
} from '@/contract/triggers/chat-limits';
import classes from './Chat.module.css';
import { BYTES_PER_MIB } from '@/contract/units';

interface Props {
  placeholder: string;
  takesFiles: boolean;
  /** The reply to the last message has not arrived yet. */
  isBusy: boolean;
  onSend(message: string, files: readonly File[]): void;
}

/** Says why these files cannot be sent; undefined if they can. */
function attachmentIssue(files: readonly File[]): string | undefined {
  if (files.length > MAX_CHAT_FILES) return `A message has at most ${MAX_CHAT_FILES} files.`;
  const large = files.find(({ size }) => size > MAX_CHAT_FILE_BYTES);
  if (large) return `“${large.name}” is larger than ${MAX_CHAT_FILE_BYTES / BYTES_PER_MIB} MiB.`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return total > MAX_CHAT_UPLOAD_BYTES
    ? `The files are larger than ${MAX_CHAT_UPLOAD_BYTES / BYTES_PER_MIB} MiB together.`
    : undefined;
}

/** The field for the next message. Enter sends, Shift + Enter starts a new line. */
export function ChatComposer({ placeholder, takesFiles, isBusy, onSend }: Props) {
  const [message, setMessage] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const isTooLong = message.length > MAX_CHAT_MESSAGE_LENGTH;
  const issue = isTooLong
    ? `The message has ${message.length.toLocaleString('en')} of ${MAX_CHAT_MESSAGE_LENGTH.toLocaleString('en')} characters.`
    : attachmentIssue(files);
  const isEmpty = message.trim() === '' && files.length === 0;
  const send = () => {
    if (isEmpty || issue !== undefined || isBusy) return;
    onSend(message.trim(), files);
    setMessage('');
    setFiles([]);
    field.current?.focus();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent) => {
    // While a word is composed, Enter accepts it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={classes.composer} aria-label="Message" onSubmit={submit}>
      <div className={classes.box}>
        {files.length > 0 && (
          <ul className={classes.files} aria-label="Files">
            {files.map((file, index) => (
              <li key={`${index} ${file.name}`}>
                <span className={classes.fileName}>{file.name}</span>
                <ActionIcon
                  size="sm"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => setFiles(files.filter((one) => one !== file))}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <div className={classes.line}>
          {takesFiles && (
            <FileButton multiple onChange={(chosen) => setFiles([...files, ...chosen])}>
              {(props) => (
                <Tooltip label="Add files">
                  <ActionIcon {...props} size={36} aria-label="Add files">
                    <IconPaperclip size={20} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
            </FileButton>
          )}
          <Textarea
            ref={field}
            variant="unstyled"
            className={classes.field}
            aria-label="Your message"
            placeholder={placeholder}
            autosize
            minRows={1}
            maxRows={8}
            autoFocus
            value={message}
            error={issue !== undefined}
            aria-describedby={issue === undefined ? undefined : 'chat-issue'}
            onChange={(event) => setMessage(event.currentTarget.value)}
            onKeyDown={press}
          />
          <ActionIcon
            type="submit"
            variant="filled"
            color="woad"
            size={36}
            radius="xl"
            aria-label="Send"
            disabled={isEmpty || issue !== undefined || isBusy}
          >
            <IconArrowUp size={20} aria-hidden />
          </ActionIcon>
        </div>
      </div>
      {issue !== undefined && (
        <Text id="chat-issue" size="xs" c="var(--weft-failed)" role="alert" mt={6}>
          {issue}
        </Text>
      )}
      <p className={classes.hint}>Enter sends. Shift + Enter starts a new line.</p>
    </form>
  );
}
