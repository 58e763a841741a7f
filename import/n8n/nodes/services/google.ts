import { type ConvertedCall, parameterText, type NodeConverter } from '../../conversion';
import { asN8nObject } from '../../file';
import { isN8nExpression, escapeBraces } from '../../n8n-expressions';
import { chosenListValue } from '../http';
import {
  pagedListCall,
  sameParametersCall,
  serviceConverter,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** The folder that was chosen; the root of a drive has none. */
const driveFolder = (read: ParameterReader, path = 'folderId'): string | undefined => {
  const folder = read.text(path);
  return folder === 'root' ? undefined : folder;
};

const searchDrive: ConnectorCallBuilder = (read) => {
  const isQuery = read.get('searchMethod') === 'query' || read.isSet('useQueryString');
  const query = read.text('queryString');
  const kind = read.get('filter.whatToSearch');
  const folders = 'application/vnd.google-apps.folder';
  return {
    operation: 'drive.search',
    parameters: {
      ...(isQuery ? { query } : { name: query }),
      folder: driveFolder(read, 'filter.folderId'),
      type: kind === 'folders' ? folders : undefined,
      ...(kind === 'files' && !isQuery ? { query: `mimeType != '${folders}'` } : {}),
      limit: read.isSet('returnAll') ? 1000 : read.value('limit'),
    },
    isList: true,
  };
};

const shareDriveFile: ConnectorCallBuilder = (read) => {
  const given = 'permissionsUi.permissionsValues';
  const role = read.text(`${given}.role`);
  const isKnown = role === 'reader' || role === 'writer' || role === 'commenter';
  if (!isKnown) read.addTodo('Choose what others may do.');
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
const DRIVE_EXPORT_FORMATS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'text/html': 'html',
};

const downloadDriveFile: ConnectorCallBuilder = (read) => {
  const conversions = asN8nObject(asN8nObject(read.get('options.googleFileConversion'))['conversion']);
  const wanted = Object.values(conversions).map((each) => DRIVE_EXPORT_FORMATS[String(each)]);
  const format = wanted.find((each) => each !== undefined);
  return { operation: 'drive.download', parameters: { file: read.text('fileId'), format } };
};

const updateDriveFile: ConnectorCallBuilder = (read) => {
  const name = read.text('newUpdatedFileName', 'options.fileName');
  const file = read.text('fileId');
  return read.isSet('changeFileContent')
    ? { operation: 'drive.replace_content', parameters: { file, content: read.file() } }
    : { operation: 'drive.move', parameters: { file, name } };
};

const deleteDriveItem =
  (path: string): ConnectorCallBuilder =>
  (read) => ({
    operation: 'drive.delete',
    parameters: { file: read.text(path), isPermanent: read.isSet('options.deletePermanently') || undefined },
  });

export const convertGoogleDrive = serviceConverter({
  connector: 'google',
  name: 'Google',
  resource: 'file',
  operation: { file: 'upload', fileFolder: 'search', folder: 'create' },
  calls: {
    'file.download': downloadDriveFile,
    'file.upload': (read) => ({
      operation: 'drive.upload',
      parameters: { file: read.file(), name: read.text('name'), folder: driveFolder(read) },
    }),
    'file.createFromText': (read) => ({
      operation: 'drive.create_text_file',
      parameters: {
        name: read.text('name') ?? 'Untitled',
        text: read.text('content') ?? '',
        folder: driveFolder(read),
      },
    }),
    'file.copy': (read) => ({
      operation: 'drive.copy',
      parameters: { file: read.text('fileId'), name: read.text('name'), folder: driveFolder(read) },
    }),
    'file.move': (read) => ({
      operation: 'drive.move',
      parameters: { file: read.text('fileId'), folder: read.text('folderId') },
    }),
    'file.share': shareDriveFile,
    'file.update': updateDriveFile,
    'file.deleteFile': deleteDriveItem('fileId'),
    'file.list': searchDrive,
    'fileFolder.search': searchDrive,
    'folder.create': (read) => ({
      operation: 'drive.create_folder',
      parameters: { name: read.text('name') ?? 'Untitled', folder: driveFolder(read) },
    }),
    'folder.share': shareDriveFile,
    'folder.deleteFolder': deleteDriveItem('folderNoRootId'),
    'drive.list': pagedListCall('drive.list_drives', 'drives'),
  },
});

/** Texts that are inserted one after the other, or replaced. */
const changeDocumentText: ConnectorCallBuilder = (read) => {
  const document = read.text('documentURL');
  const actions = read.rows('actionsUi.actionFields');
  const texts = actions.flatMap(({ action, text }) =>
    action === undefined || action === 'insert' ? [parameterText(text, read.expressions) ?? ''] : [],
  );
  if (texts.length === actions.length && texts.length > 0)
    return { operation: 'docs.append_text', parameters: { document, text: texts.join('') } };
  const replacements = actions.flatMap(({ action, text, replaceText }): [string, string][] =>
    action === 'replaceAll' && typeof text === 'string' && !isN8nExpression(text) && text !== '__proto__'
      ? [[escapeBraces(text), parameterText(replaceText, read.expressions) ?? '']]
      : [],
  );
  if (replacements.length === 0 || replacements.length < actions.length) return undefined;
  return { operation: 'docs.replace_text', parameters: { document, replacements: Object.fromEntries(replacements) } };
};

/** A document is made as a file of a drive, which gives the fields of a file. */
const createDocument: ConnectorCallBuilder = (read) => {
  const folder = read.text('folderId');
  const body = {
    name: read.text('title'),
    mimeType: 'application/vnd.google-apps.document',
    ...(folder === undefined || folder === 'default' ? {} : { parents: [folder] }),
  };
  return { operation: 'request', parameters: { method: 'POST', path: '/drive/v3/files', body } };
};

const convertDocsOperation = serviceConverter({
  connector: 'google',
  name: 'Google',
  operation: 'create',
  calls: {
    get: (read) => ({ operation: 'docs.get_text', parameters: { document: read.text('documentURL') } }),
    create: createDocument,
    update: changeDocumentText,
  },
});

export const convertGoogleDocs: NodeConverter = (conversion): ConvertedCall => {
  const piece = convertDocsOperation(conversion);
  const isText = conversion.node.parameters['operation'] === 'get' && conversion.outcome !== 'placeholder';
  return isText ? { ...piece, shape: '(text) => ({ documentId: text?.id, content: text?.text })' } : piece;
};

/** The fields of an event, without its times. */
const calendarEventFields = (read: ParameterReader, fields: string) => ({
  calendar: read.text('calendar'),
  title: read.text(`${fields}.summary`),
  description: read.text(`${fields}.description`),
  location: read.text(`${fields}.location`),
  attendees: calendarAttendees(read, `${fields}.attendees`),
  timeZone: read.text(`${fields}.timezone`),
  notify: read.text(`${fields}.sendUpdates`),
  hasMeet: Object.keys(asN8nObject(read.get(`${fields}.conferenceDataUi`))).length > 0 ? true : undefined,
});

/** Addresses, each of which may be several with commas between them. */
function calendarAttendees(read: ParameterReader, path: string): unknown {
  const given = read.get(path);
  const all = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const texts = all.flatMap((one) =>
    typeof one === 'string' && !isN8nExpression(one)
      ? one.split(',').map((part) => escapeBraces(part.trim()))
      : [parameterText(one, read.expressions) ?? ''],
  );
  const filled = texts.filter((text) => text !== '');
  return filled.length > 0 ? filled : undefined;
}

export const convertGoogleCalendar = serviceConverter({
  connector: 'google',
  name: 'Google',
  resource: 'event',
  operation: { event: 'create', calendar: 'availability' },
  calls: {
    'event.create': (read) => {
      const event = calendarEventFields(read, 'additionalFields');
      const times = { start: read.text('start'), end: read.text('end') };
      return { operation: 'calendar.create_event', parameters: { ...event, title: event.title ?? 'Event', ...times } };
    },
    'event.update': (read) => ({
      operation: 'calendar.update_event',
      parameters: {
        ...calendarEventFields(read, 'updateFields'),
        event: read.text('eventId'),
        start: read.text('updateFields.start'),
        end: read.text('updateFields.end'),
      },
    }),
    'event.get': sameParametersCall('calendar.get_event', { calendar: 'calendar', event: 'eventId' }),
    'event.delete': sameParametersCall('calendar.delete_event', { calendar: 'calendar', event: 'eventId' }),
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
      const calendar = chosenListValue(read.conversion.node.parameters['calendar']);
      return {
        operation: 'calendar.find_busy_times',
        parameters: {
          calendars: calendar === undefined ? undefined : [read.text('calendar')],
          from: read.text('timeMin'),
          to: read.text('timeMax'),
        },
      };
    },
    'calendar.getAll': pagedListCall('calendar.list_calendars', 'items'),
  },
});
