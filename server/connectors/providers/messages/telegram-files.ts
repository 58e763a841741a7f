import type { FileValue } from '@/contract/file-value';
import { defineSteppedOperation, type DataOperation, type OperationDefinition } from '../../operation';
import { fileListParameter, fileOrTextParameter, valueLineParameter } from '../../parameters';
import {
  TELEGRAM_SEND_LIMIT,
  telegramCaption,
  telegramChatId,
  telegramParameterNames,
  telegramSendOptions,
  telegramTextFormat,
} from './telegram-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const telegramFile = fileOrTextParameter(
  'File',
  /^(https?:\/\/\S{1,2000}|[\w-]{20,300})$/,
  'an https address or a file_id',
).describe('The value of a file, e.g. {{ input.body }}; or the https address of a file, or a `file_id` of Telegram');

/** An operation that sends a file, as `field`. */
const telegramFileOperation = (kind: string, field: string, title: string): DataOperation => ({
  id: `messages.send_${field}`,
  title: `Send ${title}`,
  help: 'A file of the run, at most 50 MB (photos 10 MB), or one that Telegram fetches.',
  limits: TELEGRAM_SEND_LIMIT,
  method: 'POST',
  path: `/${kind}`,
  bodyAs: 'multipart',
  inBody: { chat: telegramChatId, file: telegramFile, caption: telegramCaption, ...telegramSendOptions },
  names: { ...telegramParameterNames, file: field },
  example: { ok: true, result: { message_id: 43, chat: { id: 123_456_789 }, [field]: { file_id: 'BQACAgIAAx…' } } },
});

const telegramMediaType = ({ contentType }: FileValue): string => {
  const [kind = ''] = contentType.split('/');
  return { image: 'photo', video: 'video', audio: 'audio' }[kind] ?? 'document';
};

/** Operations of Telegram with files. https://core.telegram.org/bots/api#sending-files */
export const telegramFileOperations: OperationDefinition[] = [
  telegramFileOperation('sendPhoto', 'photo', 'a photo'),
  telegramFileOperation('sendDocument', 'document', 'a document'),
  telegramFileOperation('sendAudio', 'audio', 'an audio file'),
  telegramFileOperation('sendVideo', 'video', 'a video'),
  telegramFileOperation('sendAnimation', 'animation', 'an animation'),
  telegramFileOperation('sendVoice', 'voice', 'a voice message'),
  {
    id: 'messages.send_sticker',
    title: 'Send a sticker',
    help: 'A file in the format WEBP, TGS or WEBM, or one that Telegram has.',
    limits: TELEGRAM_SEND_LIMIT,
    method: 'POST',
    path: '/sendSticker',
    bodyAs: 'multipart',
    inBody: { chat: telegramChatId, file: telegramFile },
    names: { ...telegramParameterNames, file: 'sticker' },
    example: { ok: true, result: { message_id: 43, chat: { id: 123_456_789 }, sticker: { file_id: 'CAACAgIAAx…' } } },
  },
  defineSteppedOperation({
    id: 'messages.send_album',
    title: 'Send an album',
    help: 'Two to ten files of the run in one message. Telegram takes documents and audio files only among themselves.',
    limits: TELEGRAM_SEND_LIMIT,
    parameters: {
      chat: telegramChatId,
      files: fileListParameter('Files'),
      caption: telegramCaption,
      format: telegramTextFormat,
    },
    // https://core.telegram.org/bots/api#sendmediagroup
    *steps({ chat, files, caption, format }) {
      const media = files.map((file, index) => ({
        type: telegramMediaType(file),
        media: `attach://file${index}`,
        ...(index === 0 ? { caption, parse_mode: format } : {}),
      }));
      return (yield {
        method: 'POST',
        path: '/sendMediaGroup',
        body: {
          as: 'multipart',
          fields: { chat_id: chat, media: JSON.stringify(media) },
          files: files.map((file, index) => ({ name: `file${index}`, file })),
        },
      }).body;
    },
    example: { ok: true, result: [{ message_id: 46, photo: [] }] },
  }),
  defineSteppedOperation({
    id: 'files.get',
    title: 'Download a file',
    help: 'Stores a file that a user sent, at most 20 MB.',
    parameters: {
      fileId: valueLineParameter('File', 'earlier step').describe('`file_id` of a document, photo, voice message …'),
    },
    *steps({ fileId }) {
      const found = yield { path: '/getFile', query: { file_id: fileId } };
      const path = String(getAtPath(found.body, 'result.file_path'));
      const segments = path.split('/').map(encodeURIComponent).join('/');
      return (yield { path: `/${segments}`, api: 'files', asFile: { name: path.split('/').at(-1) ?? path } }).body;
    },
    example: { $file: 'file_…', name: 'file_12.jpg', contentType: 'image/jpeg', size: 53_072, sha256: '…' },
  }),
];
