import type { FileValue } from '@/contract/file-value';
import { ChatMessage } from '@/contract/triggers/chat';
import { MAX_CHAT_FILE_BYTES, MAX_CHAT_FILES } from '@/contract/triggers/chat-limits';
import type { Call } from '@/server/api/operation';
import { invalid, invalidField } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { discardPosted, readPosted, storePostedFiles } from '../pages/posted';
import type { AddressedChat } from './lookup';

/** The field of a posted message that has its files. */
const FILES = 'files';

export interface PostedMessage {
  session: string;
  message: string;
  fileCount: number;
}

/** Reads a posted message without its files: they are stored once it is known to be valid. Throws a Problem. */
export async function readMessage(call: Call, { takesFiles }: AddressedChat): Promise<PostedMessage> {
  const { texts, files } = await readPosted(call);
  const one = (name: string) => texts(name)[0];
  // Browsers write the line breaks of forms as CR LF.
  const message = (one('message') ?? '').replaceAll('\r\n', '\n');
  const parsed = ChatMessage.safeParse({ session: one('session') ?? '', message }, { error: explain });
  if (parsed.error) throw invalid(fieldErrors(parsed.error));
  const fileCount = files.get(FILES) ?? 0;
  if (fileCount > 0 && !takesFiles) throw invalidField(FILES, 'must have no files: this chat takes none');
  if (fileCount > MAX_CHAT_FILES) throw invalidField(FILES, `must have at most ${MAX_CHAT_FILES} files`);
  if (fileCount === 0 && message.trim() === '') throw invalidField('message', 'must not be empty');
  return { ...parsed.data, fileCount };
}

/** Stores the files of a message while `work` starts its run, and removes them if it does not say by `keep` that it did. */
export async function withFiles<Result>(
  call: Call,
  { fileCount }: PostedMessage,
  owner: { workspaceId: string; createdBy: string | null },
  work: (files: FileValue[], keep: () => void) => Promise<Result>,
): Promise<Result> {
  const most = new Map(fileCount > 0 ? [[FILES, fileCount]] : []);
  const stored = await storePostedFiles(call, most, { ...owner, limit: MAX_CHAT_FILE_BYTES });
  const files = stored.map(([, file]) => file);
  let isKept = false;
  try {
    return await work(files, () => (isKept = true));
  } finally {
    if (!isKept) await discardPosted(files, owner.workspaceId);
  }
}
