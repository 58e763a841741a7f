import type { Piece } from '../../conversion';
import { bag } from '../../file';
import { textOf } from '../../conversion';
import { isExpression, plain } from '../../text';
import type { Convert } from '../flow';
import { chosen } from '../http';
import { listed, reshaped, same, service, type CallOf, type Reader } from './service';

/** The folder that was chosen; the root of a drive has none. */
const folderOf = (read: Reader, path = 'folderId'): string | undefined => {
  const folder = read.text(path);
  return folder === 'root' ? undefined : folder;
};

const search: CallOf = (read) => {
  const isQuery = read.get('searchMethod') === 'query' || read.isSet('useQueryString');
  const query = read.text('queryString');
  const kind = read.get('filter.whatToSearch');
  const folders = 'application/vnd.google-apps.folder';
  return {
    operation: 'drive.search',
    parameters: {
      ...(isQuery ? { query } : { name: query }),
      folder: folderOf(read, 'filter.folderId'),
      type: kind === 'folders' ? folders : undefined,
      ...(kind === 'files' && !isQuery ? { query: `mimeType != '${folders}'` } : {}),
      limit: read.isSet('returnAll') ? 1000 : read.value('limit'),
    },
    isList: true,
  };
};

const share: CallOf = (read) => {
  const given = 'permissionsUi.permissionsValues';
  const role = read.text(`${given}.role`);
  const isKnown = role === 'reader' || role === 'writer' || role === 'commenter';
  if (!isKnown) read.todo('Choose what others may do.');
  return {
    operation: 'drive.share',
    parameters: {
      file: read.text('fileId', 'folderNoRootId'),
      role: isKnown ? role : 'reader',
      with: read.text(`${given}.type`) ?? 'user',
      email: read.text(`${given}.emailAddress`, `${given}.domain`),
    },
  };
};

/** Kinds that Google's own documents are downloaded as, by what n8n calls them. */
const FORMATS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'text/html': 'html',
};

const download: CallOf = (read) => {
  const conversions = bag(bag(read.get('options.googleFileConversion'))['conversion']);
  const wanted = Object.values(conversions).map((each) => FORMATS[String(each)]);
  const format = wanted.find((each) => each !== undefined);
  read.conversion.say('Its output is the value of the file.');
  return { operation: 'drive.download', parameters: { file: read.text('fileId'), format } };
};

const update: CallOf = (read) => {
  const name = read.text('newUpdatedFileName', 'options.fileName');
  const file = read.text('fileId');
  return read.isSet('changeFileContent')
    ? { operation: 'drive.replace_content', parameters: { file, content: read.file() } }
    : { operation: 'drive.move', parameters: { file, name } };
};

const remove =
  (path: string): CallOf =>
  (read) => ({
    operation: 'drive.delete',
    parameters: { file: read.text(path), isPermanent: read.isSet('options.deletePermanently') || undefined },
  });

export const googleDrive = service({
  connector: 'google',
  name: 'Google',
  resource: 'file',
  operation: { file: 'upload', fileFolder: 'search', folder: 'create' },
  calls: {
    'file.download': download,
    'file.upload': (read) => ({
      operation: 'drive.upload',
      parameters: { file: read.file(), name: read.text('name'), folder: folderOf(read) },
    }),
    'file.createFromText': (read) => ({
      operation: 'drive.create_text_file',
      parameters: { name: read.text('name') ?? 'Untitled', text: read.text('content') ?? '', folder: folderOf(read) },
    }),
    'file.copy': (read) => ({
      operation: 'drive.copy',
      parameters: { file: read.text('fileId'), name: read.text('name'), folder: folderOf(read) },
    }),
    'file.move': (read) => ({
      operation: 'drive.move',
      parameters: { file: read.text('fileId'), folder: read.text('folderId') },
    }),
    'file.share': share,
    'file.update': update,
    'file.deleteFile': remove('fileId'),
    'file.list': search,
    'fileFolder.search': search,
    'folder.create': (read) => ({
      operation: 'drive.create_folder',
      parameters: { name: read.text('name') ?? 'Untitled', folder: folderOf(read) },
    }),
    'folder.share': share,
    'folder.deleteFolder': remove('folderNoRootId'),
  },
});

/** Texts that are inserted one after the other, or replaced. */
const changeText: CallOf = (read) => {
  const document = read.text('documentURL');
  const actions = read.rows('actionsUi.actionFields');
  const texts = actions.flatMap(({ action, text }) =>
    action === undefined || action === 'insert' ? [textOf(text, read.expressions) ?? ''] : [],
  );
  if (texts.length === actions.length && texts.length > 0)
    return { operation: 'docs.append_text', parameters: { document, text: texts.join('') } };
  const replacements = actions.flatMap(({ action, text, replaceText }): [string, string][] =>
    action === 'replaceAll' && typeof text === 'string' && !isExpression(text) && text !== '__proto__'
      ? [[plain(text), textOf(replaceText, read.expressions) ?? '']]
      : [],
  );
  if (replacements.length === 0 || replacements.length < actions.length) return undefined;
  return { operation: 'docs.replace_text', parameters: { document, replacements: Object.fromEntries(replacements) } };
};

const docs = service({
  connector: 'google',
  name: 'Google',
  operation: 'create',
  calls: {
    get: (read) => ({ operation: 'docs.get_text', parameters: { document: read.text('documentURL') } }),
    create: (read) => {
      if (folderOf(read) !== undefined && folderOf(read) !== 'default')
        read.todo('It is created in the root: move it by drive.move.');
      return { operation: 'docs.create', parameters: { title: read.text('title') } };
    },
    update: changeText,
  },
});

export const googleDocs: Convert = (conversion): Piece => {
  const piece = docs(conversion);
  const isText = conversion.node.parameters['operation'] === 'get' && conversion.outcome !== 'placeholder';
  return isText ? reshaped(piece, '{ "documentId": id, "content": text }') : piece;
};

/** What is entered about an event, beside its times. */
const eventOf = (read: Reader, fields: string) => ({
  calendar: read.text('calendar'),
  title: read.text(`${fields}.summary`),
  description: read.text(`${fields}.description`),
  location: read.text(`${fields}.location`),
  attendees: attendeesOf(read, `${fields}.attendees`),
  timeZone: read.text(`${fields}.timezone`),
  notify: read.text(`${fields}.sendUpdates`),
  hasMeet: Object.keys(bag(read.get(`${fields}.conferenceDataUi`))).length > 0 ? true : undefined,
});

/** Addresses, each of which may be several with commas between them. */
function attendeesOf(read: Reader, path: string): unknown {
  const given = read.get(path);
  const all = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const texts = all.flatMap((one) =>
    typeof one === 'string' && !isExpression(one)
      ? one.split(',').map((part) => plain(part.trim()))
      : [textOf(one, read.expressions) ?? ''],
  );
  const filled = texts.filter((text) => text !== '');
  return filled.length > 0 ? filled : undefined;
}

export const googleCalendar = service({
  connector: 'google',
  name: 'Google',
  resource: 'event',
  operation: { event: 'create', calendar: 'availability' },
  calls: {
    'event.create': (read) => {
      const event = eventOf(read, 'additionalFields');
      const times = { start: read.text('start'), end: read.text('end') };
      return { operation: 'calendar.create_event', parameters: { ...event, title: event.title ?? 'Event', ...times } };
    },
    'event.update': (read) => ({
      operation: 'calendar.update_event',
      parameters: {
        ...eventOf(read, 'updateFields'),
        event: read.text('eventId'),
        start: read.text('updateFields.start'),
        end: read.text('updateFields.end'),
      },
    }),
    'event.get': same('calendar.get_event', { calendar: 'calendar', event: 'eventId' }),
    'event.delete': same('calendar.delete_event', { calendar: 'calendar', event: 'eventId' }),
    'event.getAll': (read) => {
      const pages = read.pages('items');
      return {
        ...pages,
        operation: 'calendar.list_events',
        parameters: {
          calendar: read.text('calendar'),
          from: read.text('timeMin', 'options.timeMin'),
          to: read.text('timeMax', 'options.timeMax'),
          text: read.text('options.query'),
          ...pages.parameters,
        },
      };
    },
    'calendar.availability': (read) => {
      const calendar = chosen(read.conversion.node.parameters['calendar']);
      return {
        operation: 'calendar.find_busy_times',
        parameters: {
          calendars: calendar === undefined ? undefined : [read.text('calendar')],
          from: read.text('timeMin'),
          to: read.text('timeMax'),
        },
      };
    },
    'calendar.getAll': listed('calendar.list_calendars', 'items'),
  },
});
