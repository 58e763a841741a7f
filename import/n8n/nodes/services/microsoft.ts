import { sameParametersCall, serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

const GRAPH_SERVICE = { connector: 'microsoft_graph', name: 'Microsoft Graph' };

const teamsMessage = (read: ParameterReader): Record<string, unknown> =>
  read.get('contentType') === 'html' ? { html: read.text('message') } : { text: read.text('message') };

const channelNames = { teamId: 'teamId', channelId: 'channelId' };

const sendChannelMessage: ConnectorCallBuilder = (read) => {
  const messageId = read.text('options.makeReply');
  return {
    operation: messageId === undefined ? 'channel_messages.send' : 'channel_messages.reply',
    parameters: {
      teamId: read.text('teamId'),
      channelId: read.text('channelId'),
      messageId,
      ...teamsMessage(read),
    },
  };
};

export const convertMicrosoftTeams = serviceConverter({
  ...GRAPH_SERVICE,
  resource: 'channel',
  operation: 'create',
  hint: 'Its account needs the permissions of Teams, such as ChannelMessage.Send and Chat.ReadWrite.',
  calls: {
    'channel.create': (read) => ({
      operation: 'channels.create',
      parameters: {
        teamId: read.text('teamId'),
        name: read.text('name'),
        description: read.text('options.description'),
        kind: read.value('options.type'),
      },
    }),
    'channel.update': (read) => ({
      operation: 'channels.update',
      parameters: {
        teamId: read.text('teamId'),
        channelId: read.text('channelId'),
        name: read.text('updateFields.name', 'name'),
        description: read.text('updateFields.description', 'options.description'),
      },
    }),
    'channel.deleteChannel': sameParametersCall('channels.delete', channelNames),
    'channel.get': sameParametersCall('channels.get', channelNames),
    'channel.getAll': (read) => ({
      operation: 'channels.list',
      parameters: { teamId: read.text('teamId') },
      path: '.body.value',
      isList: true,
    }),
    'channelMessage.create': sendChannelMessage,
    'channelMessage.getAll': (read) => {
      const pages = read.pages('value', 'top');
      const parameters = { teamId: read.text('teamId'), channelId: read.text('channelId'), ...pages.parameters };
      return { ...pages, operation: 'channel_messages.list', parameters };
    },
    'chatMessage.create': (read) => ({
      operation: 'chat_messages.send',
      parameters: { chatId: read.text('chatId'), ...teamsMessage(read) },
    }),
    'chatMessage.get': sameParametersCall('chat_messages.get', { chatId: 'chatId', messageId: 'messageId' }),
    'chatMessage.getAll': (read) => {
      const pages = read.pages('value', 'top');
      return {
        ...pages,
        operation: 'chat_messages.list',
        parameters: { chatId: read.text('chatId'), ...pages.parameters },
      };
    },
  },
});

const shareOnedriveItem =
  (path: string): ConnectorCallBuilder =>
  (read) => ({
    operation: 'files.share',
    parameters: { fileId: read.text(path), type: read.value('type') ?? 'view', scope: read.value('scope') },
  });

const uploadOnedriveFile: ConnectorCallBuilder = (read) => {
  const place = { folderId: read.text('parentId'), name: read.text('fileName') };
  const isFile = read.isSet('binaryData') || read.isSet('binaryDataUpload');
  return isFile
    ? { operation: 'files.upload', parameters: { file: read.file(), ...place } }
    : { operation: 'files.create_text', parameters: { ...place, text: read.text('fileContent') ?? '' } };
};

const renameOnedriveItem = sameParametersCall('files.update', { fileId: 'itemId', name: 'newName' });
const searchOnedrive: ConnectorCallBuilder = (read) => ({
  operation: 'files.search',
  parameters: { text: read.text('query') },
  path: '.body.value',
  isList: true,
});

export const convertMicrosoftOnedrive = serviceConverter({
  ...GRAPH_SERVICE,
  resource: 'file',
  operation: { file: 'upload', folder: 'create' },
  hint: 'Its account needs the permission Files.ReadWrite for changes.',
  calls: {
    'file.upload': uploadOnedriveFile,
    'file.download': sameParametersCall('files.download', { fileId: 'fileId' }),
    'file.get': sameParametersCall('files.get', { fileId: 'fileId' }),
    'file.search': searchOnedrive,
    'file.rename': renameOnedriveItem,
    'file.delete': sameParametersCall('files.delete', { fileId: 'fileId' }),
    'file.share': shareOnedriveItem('fileId'),
    'file.copy': (read) => ({
      operation: 'files.copy',
      parameters: {
        fileId: read.text('fileId'),
        folderId: read.text('parentReference.id'),
        name: read.text('additionalFields.name'),
      },
    }),
    'folder.create': (read) => ({
      operation: 'folders.create',
      parameters: { name: read.text('name'), parentId: read.text('options.parentFolderId') },
    }),
    'folder.getChildren': (read) => ({
      operation: 'files.list',
      parameters: { folderId: read.text('folderId') },
      path: '.body.value',
      isList: true,
    }),
    'folder.search': searchOnedrive,
    'folder.rename': renameOnedriveItem,
    'folder.delete': sameParametersCall('files.delete', { fileId: 'folderId' }),
    'folder.share': shareOnedriveItem('folderId'),
  },
});

/** A file of SharePoint. The node of n8n knows the site; here the library has to be chosen. */
const sharepointFileCall =
  (build: ConnectorCallBuilder): ConnectorCallBuilder =>
  (read) => {
    read.addTodo('Choose its document library.');
    return build(read);
  };

const listItemFields = (read: ParameterReader): unknown => {
  const { id: _, ...fields } = read.fields('columns.value');
  return Object.keys(fields).length > 0 ? fields : read.item;
};

const listItemNames = { siteId: 'site', listId: 'list', itemId: 'item' };

export const convertMicrosoftSharepoint = serviceConverter({
  ...GRAPH_SERVICE,
  resource: 'file',
  operation: { file: 'download', item: 'getAll', list: 'getAll' },
  hint: 'Its account needs the permission Sites.ReadWrite.All.',
  calls: {
    'file.download': sharepointFileCall(sameParametersCall('documents.download', { fileId: 'file' })),
    'file.upload': sharepointFileCall((read) => ({
      operation: 'documents.upload',
      parameters: { file: read.file(), folderId: read.text('folder'), name: read.text('fileName') },
    })),
    'file.update': sharepointFileCall((read) =>
      read.isSet('changeFileContent')
        ? {
            operation: 'documents.replace_content',
            parameters: { fileId: read.text('file'), content: read.file() },
          }
        : { operation: 'documents.update', parameters: { fileId: read.text('file'), name: read.text('fileName') } },
    ),
    'item.getAll': (read) => {
      const pages = read.pages('value', 'top');
      const parameters = { siteId: read.text('site'), listId: read.text('list'), filter: read.text('filter') };
      return { ...pages, operation: 'list_items.list', parameters: { ...parameters, ...pages.parameters } };
    },
    'item.get': sameParametersCall('list_items.get', listItemNames),
    'item.delete': sameParametersCall('list_items.delete', listItemNames),
    'item.create': (read) => ({
      operation: 'list_items.create',
      parameters: { siteId: read.text('site'), listId: read.text('list'), fields: listItemFields(read) },
    }),
    'item.update': (read) => ({
      operation: 'list_items.update',
      parameters: {
        siteId: read.text('site'),
        listId: read.text('list'),
        itemId: read.text('columns.value.id', 'item'),
        fields: listItemFields(read),
      },
    }),
    'list.get': sameParametersCall('lists.get', { siteId: 'site', listId: 'list' }),
    'list.getAll': (read) => {
      const pages = read.pages('value', 'top');
      return {
        ...pages,
        operation: 'lists.list',
        parameters: { siteId: read.text('site'), ...pages.parameters },
      };
    },
  },
});

/** The values of a row: those that are entered, or the item that comes in. */
const excelRowValues = (read: ParameterReader): unknown =>
  read.pairs('fieldsUi.values', 'column', 'fieldValue') ?? read.item;

const worksheetTarget = (read: ParameterReader) => ({
  workbookId: read.text('workbook'),
  worksheet: read.text('worksheet'),
});
const tableTarget = (read: ParameterReader) => ({ workbookId: read.text('workbook'), table: read.text('table') });

/** A row that is found by a column. The value of the column is one of the row. */
const keyedWorksheetCall =
  (operation: string): ConnectorCallBuilder =>
  (read) => {
    const key = read.text('columnToMatchOn');
    const values = excelRowValues(read);
    const value = read.value('valueToMatchOn');
    const isWhole = typeof values !== 'object' || value === undefined || key === undefined;
    const row = isWhole ? values : { [key]: value, ...(values as object) };
    return { operation, parameters: { ...worksheetTarget(read), key, row } };
  };

export const convertMicrosoftExcel = serviceConverter({
  ...GRAPH_SERVICE,
  resource: 'workbook',
  operation: { workbook: 'getAll', worksheet: 'getAll', table: 'append' },
  hint: 'Its account needs the permission Files.ReadWrite.',
  calls: {
    'workbook.getAll': (read) => ({
      operation: 'workbooks.list',
      parameters: read.isSet('returnAll') ? { allPages: true } : {},
      path: read.isSet('returnAll') ? '.body' : '.body.value',
      isList: true,
    }),
    'workbook.addWorksheet': (read) => ({
      operation: 'worksheets.create',
      parameters: { workbookId: read.text('workbook'), name: read.text('additionalFields.name') },
    }),
    'workbook.deleteWorkbook': sameParametersCall('files.delete', { fileId: 'workbook' }),
    'worksheet.getAll': (read) => ({
      operation: 'worksheets.list',
      parameters: { workbookId: read.text('workbook') },
      path: '.body.value',
      isList: true,
    }),
    'worksheet.readRows': (read) => ({
      operation: 'worksheets.read_rows',
      parameters: worksheetTarget(read),
      isList: true,
    }),
    'worksheet.getContent': (read) => ({
      operation: 'worksheets.read_range',
      parameters: { ...worksheetTarget(read), range: read.text('range') },
    }),
    'worksheet.append': (read) => ({
      operation: 'worksheets.append_row',
      parameters: { ...worksheetTarget(read), row: excelRowValues(read) },
    }),
    'worksheet.update': keyedWorksheetCall('worksheets.update_row'),
    'worksheet.upsert': keyedWorksheetCall('worksheets.upsert_row'),
    'worksheet.clear': (read) => ({
      operation: 'worksheets.clear',
      parameters: { ...worksheetTarget(read), range: read.text('range') },
    }),
    'worksheet.deleteWorksheet': (read) => ({ operation: 'worksheets.delete', parameters: worksheetTarget(read) }),
    'table.append': (read) => ({
      operation: 'tables.append_row',
      parameters: { ...tableTarget(read), row: excelRowValues(read) },
    }),
    'table.getRows': (read) => ({ operation: 'tables.list_rows', parameters: tableTarget(read), isList: true }),
    'table.getColumns': (read) => ({
      operation: 'tables.list_columns',
      parameters: tableTarget(read),
      path: '.body.value',
      isList: true,
    }),
    'table.lookup': (read) => ({
      operation: 'tables.find_row',
      parameters: { ...tableTarget(read), column: read.text('lookupColumn'), value: read.text('lookupValue') },
    }),
    'table.convertToRange': (read) => ({ operation: 'tables.convert_to_range', parameters: tableTarget(read) }),
    'table.deleteTable': (read) => ({ operation: 'tables.delete', parameters: tableTarget(read) }),
  },
});
