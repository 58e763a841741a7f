import { stepped, type ApiRequest, type ConnectorOperation } from '../../operation';
import { choice, count, flag, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';
import { driveContent } from './drive-content';
import { api, facts, FIELDS, FOLDER, folder, limits, one, pathOf, quoted, shared } from './drive-parts';
import { fileId, idIn } from './ids';

const target = fileId('File');

const change = (id: string, value: object, query: object = {}): ApiRequest => ({
  method: 'PATCH',
  api,
  path: pathOf(id),
  query: { ...shared, fields: FIELDS, ...query },
  body: { as: 'json', value },
});

export const drive: ConnectorOperation[] = [
  stepped({
    id: 'drive.search',
    title: 'Search files',
    help: 'Files and folders by name, folder, type or a query of Drive.',
    limits,
    parameters: {
      name: word('Name').optional().describe('A part of the name'),
      folder: fileId('Folder').optional().describe('Only files in this folder'),
      type: word('Type', 200).optional().describe(`MIME type, e.g. application/pdf or ${FOLDER}`),
      query: word('Query', 5000).optional().describe("Further terms, e.g. modifiedTime > '2026-01-01T00:00:00'"),
      createdAfter: word('Created after', 64).optional().describe('ISO 8601'),
      limit: count('Files', 1000).optional().describe('At most 1,000; default 100'),
      orderBy: word('Order', 200).optional().describe('e.g. name, modifiedTime desc; default createdTime desc'),
    },
    *steps({ name, folder: parent, type, query, createdAfter, limit = 100, orderBy = 'createdTime desc' }) {
      const q = [
        'trashed = false',
        ...(name === undefined ? [] : [`name contains ${quoted(name)}`]),
        ...(parent === undefined ? [] : [`${quoted(idIn(parent))} in parents`]),
        ...(type === undefined ? [] : [`mimeType = ${quoted(type)}`]),
        ...(createdAfter === undefined ? [] : [`createdTime >= ${quoted(createdAfter)}`]),
        ...(query === undefined ? [] : [`(${query})`]),
      ].join(' and ');
      const all: unknown[] = [];
      let pageToken: unknown;
      do {
        const { body } = yield {
          api,
          path: '/files',
          query: {
            ...shared,
            includeItemsFromAllDrives: true,
            q,
            orderBy,
            pageSize: Math.min(limit - all.length, 1000),
            fields: `nextPageToken,files(${FIELDS})`,
            pageToken,
          },
        };
        all.push(...((at(body, 'files') ?? []) as unknown[]));
        pageToken = at(body, 'nextPageToken');
      } while (pageToken !== undefined && all.length < limit);
      return all;
    },
    example: [one],
    poll: {
      title: 'New file',
      words: 'google drive trigger file created uploaded folder',
      parameters: { createdAfter: '{{ cursor }}', limit: 1000 },
      items: 'input.body',
      key: 'item.id',
      cursor: '$sort(input.body.createdTime)[-1]',
    },
  }),
  stepped({
    id: 'drive.get',
    title: 'Get the facts of a file',
    help: 'Name, type, size, folders and address.',
    limits,
    parameters: { file: target },
    *steps({ file: of }) {
      return (yield { api, path: pathOf(of), query: { ...shared, fields: FIELDS } }).body;
    },
    example: one,
  }),
  ...driveContent,
  stepped({
    id: 'drive.create_folder',
    title: 'Create a folder',
    help: 'In My Drive or in another folder.',
    limits,
    parameters: { name: word('Name', 500).describe('Name of the folder'), folder },
    *steps({ name, folder: parent }) {
      return (yield {
        method: 'POST',
        api,
        path: '/files',
        query: { ...shared, fields: FIELDS },
        body: { as: 'json', value: facts(name, parent, { mimeType: FOLDER }) },
      }).body;
    },
    example: { ...one, name: 'Invoices', mimeType: FOLDER },
  }),
  stepped({
    id: 'drive.copy',
    title: 'Copy a file',
    help: 'Also documents of Google, e.g. to fill in a template.',
    limits,
    parameters: { file: target, name: word('Name', 500).optional().describe('Name of the copy'), folder },
    *steps({ file: of, name, folder: parent }) {
      const value = {
        ...(name === undefined ? {} : { name }),
        ...(parent === undefined ? {} : { parents: [idIn(parent)] }),
      };
      return (yield {
        method: 'POST',
        api,
        path: `${pathOf(of)}/copy`,
        query: { ...shared, fields: FIELDS },
        body: { as: 'json', value },
      }).body;
    },
    example: one,
  }),
  stepped({
    id: 'drive.move',
    title: 'Move or rename a file',
    help: 'To another folder, or with another name.',
    limits,
    parameters: { file: target, folder, name: word('Name', 500).optional().describe('The new name; empty: it stays') },
    *steps({ file: of, folder: parent, name }) {
      const renamed = name === undefined ? {} : { name };
      if (parent === undefined) return (yield change(of, renamed)).body;
      const { body } = yield { api, path: pathOf(of), query: { ...shared, fields: 'parents' } };
      const removeParents = ((at(body, 'parents') ?? []) as string[]).join(',');
      return (yield change(of, renamed, { addParents: idIn(parent), removeParents: removeParents || undefined })).body;
    },
    example: one,
  }),
  stepped({
    id: 'drive.share',
    title: 'Share a file',
    help: 'With a person, a group, a domain or everyone who has the link.',
    limits,
    parameters: {
      file: target,
      role: choice('Role', ['reader', 'commenter', 'writer']).describe('What they may do'),
      with: choice('With', ['user', 'group', 'domain', 'anyone']).describe('Who gets access'),
      email: word('Email address or domain', 320).optional().describe('Of the user, group or domain'),
      notifies: flag('Send an email').optional().describe('Default: people are told'),
    },
    *steps({ file: of, role, with: type, email, notifies = true }) {
      const address = type === 'domain' ? { domain: email } : { emailAddress: email };
      return (yield {
        method: 'POST',
        api,
        path: `${pathOf(of)}/permissions`,
        query: { ...shared, sendNotificationEmail: type === 'user' || type === 'group' ? notifies : undefined },
        body: { as: 'json', value: { role, type, ...(type === 'anyone' ? {} : address) } },
      }).body;
    },
    example: { kind: 'drive#permission', id: '06450127', type: 'user', role: 'reader' },
  }),
  stepped({
    id: 'drive.delete',
    title: 'Delete a file',
    help: 'Moves it to the trash, or deletes it for good.',
    limits,
    parameters: { file: target, isPermanent: flag('For good').optional().describe('It cannot be restored') },
    *steps({ file: of, isPermanent }) {
      if (!isPermanent) return (yield change(of, { trashed: true })).body;
      yield { method: 'DELETE', api, path: pathOf(of), query: shared };
      return { id: idIn(of), deleted: true };
    },
    example: { ...one, trashed: true },
  }),
];
