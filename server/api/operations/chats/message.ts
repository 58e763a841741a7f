import type { FileValue } from '@/contract/file-value';
import { ChatMessageRequest } from '@/contract/triggers/chat';
import { MAX_CHAT_FILE_BYTES, MAX_CHAT_FILES } from '@/contract/triggers/chat-limits';
import type { OperationCall } from '@/server/api/operation/operation';
import { invalidRequestProblem, invalidFieldProblem } from '@/server/platform/errors/problem';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { discardPostedFiles, readPostedForm, storePostedFiles } from '../pages/posted-form';
import type { AddressedChat } from './addressed-chat';

/** The field of a posted message that has its files. */
const FILES_FIELD = 'files';

export interface PostedChatMessage {
  session: string;
  message: string;
  fileCount: number;
}

/** Reads a posted message without its files: they are stored once it is known to be valid. Throws a Problem. */
export async function readPostedMessage(
  call: OperationCall,
  { takesFiles }: AddressedChat,
): Promise<PostedChatMessage> {
  const { texts, files } = await readPostedForm(call);
  const one = (name: string) => texts(name)[0];
  // Browsers write the line breaks of forms as CR LF.
  const message = (one('message') ?? '').replaceAll('\r\n', '\n');
  const parsed = ChatMessageRequest.safeParse(
    { session: one('session') ?? '', message },
    { error: explainMissingValue },
  );
  if (parsed.error) throw invalidRequestProblem(toFieldErrors(parsed.error));
  const fileCount = files.get(FILES_FIELD) ?? 0;
  if (fileCount > 0 && !takesFiles) throw invalidFieldProblem(FILES_FIELD, 'must have no files: this chat takes none');
  if (fileCount > MAX_CHAT_FILES) throw invalidFieldProblem(FILES_FIELD, `must have at most ${MAX_CHAT_FILES} files`);
  if (fileCount === 0 && message.trim() === '') throw invalidFieldProblem('message', 'must not be empty');
  return { ...parsed.data, fileCount };
}

/** Stores the files of a message while `work` starts its run. Removes them again unless `work` calls `keep`. */
export async function withStoredFiles<Result>(
  call: OperationCall,
  { fileCount }: PostedChatMessage,
  owner: { workspaceId: string; createdBy: string | null },
  work: (files: FileValue[], keep: () => void) => Promise<Result>,
): Promise<Result> {
  const most = new Map(fileCount > 0 ? [[FILES_FIELD, fileCount]] : []);
  const stored = await storePostedFiles(call, most, { ...owner, limit: MAX_CHAT_FILE_BYTES });
  const files = stored.map(([, file]) => file);
  let isKept = false;
  try {
    return await work(files, () => (isKept = true));
  } finally {
    if (!isKept) await discardPostedFiles(files, owner.workspaceId);
  }
}
